import { screensAreSteady } from './steady-screens.ts'

screensAreSteady(['a guest', 'a driver with an active job'], [360])
