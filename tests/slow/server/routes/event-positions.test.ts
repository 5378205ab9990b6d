import { eventPositions } from '../../../server/routes/event-positions.ts'

eventPositions({ runs: 30, events: 10_000 })
