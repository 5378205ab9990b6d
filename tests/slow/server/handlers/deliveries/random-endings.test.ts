import { randomExits } from '../../../../server/handlers/deliveries/random-endings.ts'

randomExits(2_000, { reachesAll: true })
