import type { Gateways } from './gateways.ts'
import type { Handlers } from './handler.ts'
import { accountHandlers } from './handlers/account.ts'
import { adminHandlers } from './handlers/admin.ts'
import { choiceHandlers } from './handlers/choices.ts'
import { deliveryHandlers } from './handlers/deliveries.ts'
import { disputeHandlers } from './handlers/disputes.ts'
import { driverHandlers } from './handlers/drivers.ts'
import { phoneHandlers } from './handlers/phones.ts'

/** One handler for every line of the table, under the same name. */
export const handlersOver = (gateways: Gateways): Handlers => ({
  ...accountHandlers(gateways),
  ...phoneHandlers(gateways),
  ...choiceHandlers(gateways),
  ...deliveryHandlers(gateways),
  ...driverHandlers(gateways),
  ...disputeHandlers(gateways),
  ...adminHandlers(gateways),
})
