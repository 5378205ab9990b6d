import type { Op } from '#contract/endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Answer } from '../http/idempotency.ts'
import type { Ports } from '../ports/ports.ts'
import type { Repo } from '../ports/repo.ts'
import { accountHandlers } from './account.ts'
import { adminHandlers } from './admin.ts'
import { choiceHandlers } from './choices.ts'
import { deliveryHandlers, replayGuestDelivery } from './deliveries.ts'
import { disputeHandlers } from './disputes.ts'
import { driverHandlers } from './drivers.ts'
import { exitHandlers } from './exits.ts'
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
  ...exitHandlers(ports),
  ...recipientHandlers(),
  ...guestHandlers(ports),
  ...disputeHandlers(ports),
  ...notificationHandlers(ports),
  ...adminHandlers(ports),
  ...requestHandlers(ports),
  ...supportHandlers(),
})

/** What a stored answer becomes when it is given again. Where nothing stands here it stays as it is. */
type Replay = (repo: Repo, input: unknown, first: Answer) => Promise<Answer>
export const replays: Partial<Record<Op, Replay>> = { createGuestDelivery: replayGuestDelivery }
