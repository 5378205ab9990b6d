import type { Handlers } from '../http/handler.ts'
import type { Ports } from '../ports/ports.ts'
import { accountHandlers } from './account.ts'
import { adminHandlers } from './admin.ts'
import { choiceHandlers } from './choices.ts'
import { deliveryHandlers } from './deliveries.ts'
import { disputeHandlers } from './disputes.ts'
import { driverHandlers } from './drivers.ts'
import { phoneHandlers } from './phones.ts'

/** One handler for every line of the table, under the same name. */
export const createHandlers = (ports: Ports): Handlers => ({
  ...accountHandlers(ports),
  ...phoneHandlers(ports),
  ...choiceHandlers(ports),
  ...deliveryHandlers(ports),
  ...driverHandlers(ports),
  ...disputeHandlers(ports),
  ...adminHandlers(ports),
})
