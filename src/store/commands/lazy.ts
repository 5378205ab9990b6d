import { setConsoleFlag } from '../database/device/diagnostics.ts'
import { createAccountCommands } from './account.ts'
import { createAdminCommands } from './admin.ts'
import type { CommandContext } from './context.ts'
import { createDeliveryCommands } from './delivery.ts'
import { createOutboxActions } from './outbox-actions.ts'
import { createRequestDelivery } from './request-delivery.ts'
import { restoreSetAside } from './set-aside.ts'
import { importFile } from './unsent-import.ts'

export type LazyCommands = ReturnType<typeof createLazyCommands>

/** Commands that a visitor's first page does without. */
export const createLazyCommands = (context: CommandContext) => ({
  ...createDeliveryCommands(context),
  ...createRequestDelivery(context),
  ...createOutboxActions(context),
  ...createAccountCommands(context),
  ...createAdminCommands(context),
  restoreSetAside: (id: number) => restoreSetAside(context.db, id),
  importFile: (text: string) => importFile(context, text),
  /** Also writes the diagnostics to the console, or no longer. */
  logToConsole: (isOn: boolean) => setConsoleFlag(context.db, isOn),
})
