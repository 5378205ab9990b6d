import { eventPositions } from './event-positions.ts'

eventPositions({ runs: 6, events: 2_100 })
