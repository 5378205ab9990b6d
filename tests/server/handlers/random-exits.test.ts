import { randomExits } from './random-exits.ts'

randomExits(60)
