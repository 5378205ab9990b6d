import { whos } from './screens.ts'
import { screensAreSteady } from './steady-screens.ts'

screensAreSteady(whos)
