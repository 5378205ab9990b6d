import type { Handlers } from '../http/handler.ts'
import type { Gateways } from '../ports/ports.ts'
import { accountHandlers } from './account.ts'
import { adminHandlers } from './admin.ts'
import { choiceHandlers } from './choices.ts'
import { deliveryHandlers } from './deliveries.ts'
import { disputeHandlers } from './disputes.ts'
import { driverHandlers } from './drivers.ts'
import { phoneHandlers } from './phones.ts'

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
