import { cancelRaces } from './cancel-races.ts'

cancelRaces(12)
