import { WholeFrame } from '../components/page/skeleton.tsx'

/** The frame that index.html draws, until the database is open and the session loaded. */
export const Opening = WholeFrame
