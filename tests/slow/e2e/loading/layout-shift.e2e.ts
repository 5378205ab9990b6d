import { whos } from './screens.ts'
import { screensAreSteady } from './steady-screens.ts'

screensAreSteady(whos, [360, 1280])
