import * as z from 'zod/mini'
import { maxName, maxReason } from '#domain/deliveries/draft.ts'
import { correct } from '#domain/deliveries/office/correct.ts'
import { Place } from '#domain/deliveries/places/place.ts'
import { oneDelivery, send } from '../endpoint.ts'
import { body, Phone, requiredText } from '../fields.ts'
import { deliveryOperation } from '../operation.ts'
import { offerField } from '../sending/delivery-request.ts'

/** The office corrects what a request says; what is missing stays (R193). `offer`: in cedis. */
export const correctDelivery = deliveryOperation({
  input: z.object({
    id: z.string(),
    pickupZone: z.optional(z.string()),
    dropoffZone: z.optional(z.string()),
    pickupPlace: z.optional(Place),
    dropoffPlace: z.optional(Place),
    recipientName: z.optional(z.string()),
    recipientPhone: z.optional(z.string()),
    offer: z.optional(z.number()),
    reason: z.string(),
  }),
  call: send('PATCH', '/admin/deliveries/:id', 'office', oneDelivery),
  body: ({ id: _, ...correction }) => correction,
  rule: (delivery, actor, when, { reason, ...correction }) =>
    correct(delivery, actor, when, { ...correction, reason }),
  // A name that no recipient has: what is not changed is refused.
  sample: { recipientName: '\u0000', reason: '' },
  isUnforeseen: true,
})

/** What the server takes. */
export const correctDeliveryBody = body(() =>
  z.object({
    pickupZone: z.optional(requiredText('Pickup zone')),
    dropoffZone: z.optional(requiredText('Drop-off zone')),
    pickupPlace: z.optional(Place),
    dropoffPlace: z.optional(Place),
    recipientName: z.optional(requiredText('Recipient name', maxName)),
    recipientPhone: z.optional(Phone),
    offer: z.optional(offerField()),
    reason: requiredText('A reason', maxReason),
  }),
)
