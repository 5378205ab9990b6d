import { note } from '#sync/database/device/diagnostics.ts'
import { firstScreen } from '../../browser/first-screen.ts'

/** Loads the delivery's screen ahead: there may be no network once it is needed. */
export const preloadRoom = (): void =>
  void firstScreen()
    .then(() => import('./page.tsx'))
    .catch((error: unknown) => note('The delivery room could not be loaded ahead', { error }))
