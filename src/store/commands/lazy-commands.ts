import type { SavedView } from '#domain/office/saved-view.ts'
import { setConsoleFlag } from '#sync/database/device/diagnostics.ts'
import { putState } from '#sync/database/device/state.ts'
import { removeView, saveView } from '../account/saved-views.ts'
import type { Offered } from '../deliveries/offered-route.ts'
import { currentAccount } from '../session.ts'
import { createAccountCommands } from './account.ts'
import { createAdminCommands } from './admin.ts'
import type { CommandContext } from './context.ts'
import { createDeliveryCommands } from './delivery.ts'
import { createOutboxActions } from './outbox-actions.ts'
import { createRequestDelivery } from './request-delivery.ts'
import { createSendAgain } from './send-again.ts'
import { restoreSetAside } from './set-aside.ts'

export type LazyCommands = ReturnType<typeof createLazyCommands>

/** Commands that a visitor's first page does without. */
export const createLazyCommands = (context: CommandContext) => ({
  ...createDeliveryCommands(context),
  ...createRequestDelivery(context),
  ...createOutboxActions(context),
  ...createSendAgain(context),
  ...createAccountCommands(context),
  ...createAdminCommands(context),
  restoreSetAside: (id: number) => restoreSetAside(context.db, id),
  /** The route a driver looks at from now on, also the next time (S50). */
  rememberRoute: async (route: Offered) =>
    putState(context.db, `route:${await currentAccount(context.db)}`, route),
  /** Offers this place no more (R112). */
  forgetPlace: async (key: string) =>
    context.db.places.delete([await currentAccount(context.db), key]),
  /** A list as it is searched, filtered and sorted, under a name (R229). */
  saveView: (view: SavedView) => saveView(context.db, view),
  removeView: (view: Pick<SavedView, 'list' | 'name'>) => removeView(context.db, view),
  /** Also writes the diagnostics to the console, or no longer. */
  logToConsole: (isOn: boolean) => setConsoleFlag(context.db, isOn),
})
