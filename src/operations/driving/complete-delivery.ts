import * as z from 'zod/mini'
import { isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import type { EndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { proveReturn } from '#domain/deliveries/endings/returns.ts'
import { HandoverSecret } from '#domain/deliveries/handover/handover.ts'
import { deliver } from '#domain/deliveries/transitions.ts'
import { deliveryOrDispute, send } from '../endpoint.ts'
import { body } from '../fields.ts'
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
  body: ({ code, handoverSecret }) => ({ code, handoverSecret }),
  by: 'driver',
  rule: (delivery, actor, when, _, { dueAt, returned }: Terms = {}) => {
    const driver = personIn(actor)
    if (returned) return proveReturn(delivery, driver, when, returned)
    const delivered = deliver(delivery, driver, when)
    return dueAt === undefined || isHeld(delivery) ? delivered : { ...delivered, dueAt }
  },
  reaches: 'Delivered',
  queue: { urgent: true },
})

/** `dueAt`: when it is approved automatically (R106). `returned`: the code was the sender's own (R105). */
type Terms = { dueAt?: string; returned?: Pick<EndingTerms, 'returnShare'> }

/** What the server takes. */
export const completeDeliveryBody = body(() =>
  z
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
)
