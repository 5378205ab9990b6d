import { whos } from '../../../e2e/loading/screens.ts'
import { screensAreSteady } from '../../../e2e/loading/steady-screens.ts'

screensAreSteady(whos, [360, 1280])
