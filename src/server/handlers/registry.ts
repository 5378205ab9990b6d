import type { Handlers } from '../ports/handler.ts'
import type { Ports } from '../ports/ports.ts'
import { accountHandlers } from './account.ts'
import { adminHandlers } from './admin.ts'
import { choiceHandlers } from './choices.ts'
import { deliveryHandlers } from './deliveries.ts'
import { deliveryOperationHandlers } from './delivery-operations.ts'
import { disputeHandlers } from './disputes.ts'
import { driverHandlers } from './drivers.ts'
import { guestHandlers } from './guests.ts'
import { notificationHandlers } from './notifications.ts'
import { phoneHandlers } from './phones.ts'
import { recipientHandlers } from './recipients.ts'
import { requestHandlers } from './requests.ts'
import { supportHandlers } from './support.ts'

/** One handler for every line of the endpoint table, under the same name. */
export const createHandlers = (ports: Ports): Handlers => ({
  ...accountHandlers(ports),
  ...phoneHandlers(ports),
  ...choiceHandlers(ports),
  ...deliveryHandlers(ports),
  ...driverHandlers(ports),
  ...deliveryOperationHandlers(ports),
  ...recipientHandlers(),
  ...guestHandlers(ports),
  ...disputeHandlers(ports),
  ...notificationHandlers(ports),
  ...adminHandlers(ports),
  ...requestHandlers(ports),
  ...supportHandlers(),
})
