import * as z from 'zod/mini'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { renewCode as renew } from '#domain/deliveries/handover/delivery-code.ts'
import { oneDelivery, send } from '../endpoint.ts'
import { body, guestPhone } from '../fields.ts'
import { deliveryOperation } from '../operation.ts'

/**
 * The sender or guest gives the delivery a new code, which the server draws: until then there is none to show (R135, S67).
 * `newCodes`: how often there had been a new one. `codes`: what the server draws.
 */
export const renewCode = deliveryOperation({
  input: z.object({ id: z.string(), newCodes: z.number() }),
  call: send('POST', '/deliveries/:id/code', 'person-or-guest', oneDelivery),
  body: (_, { guestPhone }) => ({ guestPhone }),
  by: 'sender',
  rule: (delivery, actor, when, _, codes?: Pick<Delivery, 'deliveryCode' | 'returnCode'>) =>
    renew(delivery, actor, when, codes),
  queue: { urgent: true },
})

/** What the server takes. */
export const renewCodeBody = body(() => z.object(guestPhone))
