import { randomExits } from './random-endings.ts'

randomExits(24)
