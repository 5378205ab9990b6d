import { screensAreSteady } from './steady-screens.ts'

screensAreSteady(['a driver with an active job'], [360])
