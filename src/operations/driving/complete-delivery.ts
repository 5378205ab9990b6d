import * as z from 'zod/mini'
import { HandoverSecret } from '#domain/deliveries/handover.ts'
import { deliver } from '#domain/deliveries/transitions.ts'
import { deliveryOrDispute, send } from '../endpoint.ts'
import { deliveryOperation, personIn } from '../operation.ts'

/**
 * The driver hands the item over, and proves it by the recipient's digits or by the secret of the QR code (R25, R110).
 * `returning`: the parcel was on its way back, so that the code may be the sender's own (R105).
 */
export const completeDelivery = deliveryOperation({
  input: z.object({
    id: z.string(),
    code: z.optional(z.string()),
    handoverSecret: z.optional(z.string()),
    returning: z.optional(z.literal(true)),
  }),
  call: send('POST', '/driver/deliveries/:id/complete', 'driver', deliveryOrDispute),
  bodySchema: z
    .object({
      code: z.optional(
        z.string('The code must be a text.').check(z.maxLength(100, 'That code is too long.')),
      ),
      handoverSecret: z.optional(HandoverSecret),
    })
    .check(
      z.refine(
        ({ code, handoverSecret }) => (code === undefined) !== (handoverSecret === undefined),
        'Please enter the delivery code',
      ),
    ),
  body: ({ code, handoverSecret }) => ({ code, handoverSecret }),
  rule: (delivery, actor, when) => deliver(delivery, personIn(actor), when),
  queue: { urgent: true },
})
