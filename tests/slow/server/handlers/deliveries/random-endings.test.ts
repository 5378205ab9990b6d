import { randomExits } from '../../../../server/handlers/deliveries/random-endings.ts'

randomExits(600, { reachesAll: true })
