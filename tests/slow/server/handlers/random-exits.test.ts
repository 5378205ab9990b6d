import { randomExits } from '../../../server/handlers/random-exits.ts'

randomExits(2_000, { reachesAll: true })
