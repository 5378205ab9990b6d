import * as z from 'zod/mini'
import { raiseOffer as raise } from '#domain/deliveries/transitions.ts'
import { maxOffer } from '#domain/money.ts'
import { oneDelivery, send } from '../endpoint.ts'
import { body, guestPhone } from '../fields.ts'
import { deliveryOperation } from '../operation.ts'
import { offerField } from './delivery-request.ts'

/** The sender or guest raises the offer of a request that nobody has accepted (R169). `offer`: in cedis. */
export const raiseOffer = deliveryOperation({
  input: z.object({ id: z.string(), offer: z.number() }),
  call: send('POST', '/deliveries/:id/offer', 'person-or-guest', oneDelivery),
  body: ({ offer }, { guestPhone }) => ({ offer, guestPhone }),
  by: 'sender',
  rule: (delivery, actor, when, { offer }) => raise(delivery, actor, when, offer),
  sample: { offer: maxOffer },
  isVisible: ({ offer }, { input }) => offer === input.offer,
  queue: { urgent: true },
})

/** What the server takes. */
export const raiseOfferBody = body(() => z.object({ offer: offerField(), ...guestPhone }))
