import * as z from 'zod/mini'
import { Delivery } from '#domain/deliveries/delivery.ts'
import { Dispute } from '#domain/deliveries/dispute.ts'
import { contest } from '#domain/deliveries/endings/contest.ts'
import { send } from '../endpoint.ts'
import { body, guestPhone, requiredText } from '../fields.ts'
import { deliveryOperation } from '../operation.ts'

/** The sender or guest says that the driver has not picked the item up (R125), and may request anew. */
export const contestPickUp = deliveryOperation({
  input: z.object({ id: z.string(), reason: z.string() }),
  call: send(
    'POST',
    '/deliveries/:id/contest',
    'person-or-guest',
    z.object({ delivery: Delivery, dispute: Dispute }),
  ),
  body: ({ reason }, { guestPhone }) => ({ reason, guestPhone }),
  by: 'sender',
  rule: (delivery, actor, when) => contest(delivery, actor, when.at),
  sample: { reason: '' },
  isVisible: ({ contested }) => contested === true,
  queue: { urgent: true },
})

/** What the server takes. */
export const contestPickUpBody = body(() =>
  z.object({ reason: requiredText('A reason'), ...guestPhone }),
)
