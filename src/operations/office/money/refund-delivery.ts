import * as z from 'zod/mini'
import { maxReason } from '#domain/deliveries/draft.ts'
import { refund } from '#domain/deliveries/office/refund.ts'
import { oneDelivery, send } from '../../endpoint.ts'
import { body, requiredText } from '../../fields.ts'
import { deliveryOperation } from '../../operation.ts'

/** An admin refunds a sender while the driver's payout waits (R228). `amount` in cedis; without it all of the driver's part. */
export const refundDelivery = deliveryOperation({
  input: z.object({ id: z.string(), amount: z.optional(z.number()), reason: z.string() }),
  call: send('POST', '/admin/deliveries/:id/refund', 'admin', oneDelivery),
  body: ({ amount, reason }) => ({ amount, reason }),
  rule: (delivery, actor, when, input) => refund(delivery, actor, when, input),
  sample: { reason: '' },
  // Only the server knows whether the payout is being sent.
  isUnforeseen: true,
})

/** What the server takes. */
export const refundDeliveryBody = body(() =>
  z.object({
    amount: z.optional(z.number('The amount must be a number.')),
    reason: requiredText('A reason', maxReason),
  }),
)
