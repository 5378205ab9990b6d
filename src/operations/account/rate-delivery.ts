import * as z from 'zod/mini'
import { rate } from '#domain/deliveries/rate.ts'
import { maxRatingWords } from '#domain/users/rating.ts'
import { oneDelivery, send } from '../endpoint.ts'
import { body, guestPhone, optionalText } from '../fields.ts'
import { deliveryOperation } from '../operation.ts'

/** One side rates the other, once (R113). */
export const rateDelivery = deliveryOperation({
  input: z.object({ id: z.string(), stars: z.number(), words: z.optional(z.string()) }),
  call: send('POST', '/deliveries/:id/rating', 'person-or-guest', oneDelivery),
  body: ({ stars, words }, { guestPhone }) => ({ stars, words, guestPhone }),
  by: 'party',
  rule: (delivery, actor, when, { stars, words }, counts: { counted?: false } = {}) =>
    rate(delivery, actor, { stars, words, ...counts }, when.at),
  sample: { stars: 5 },
  isVisible: ({ driver, ratings }, { account, input }) => {
    const given = ratings?.[driver?.id === account ? 'driver' : 'sender']
    // Another rating, given on another phone, is not the one that was asked for.
    return given?.stars === input.stars
  },
})

/** What the server takes. */
export const rateDeliveryBody = body(() =>
  z.object({
    stars: z
      .int('Give 1 to 5 stars.')
      .check(z.minimum(1, 'Give 1 to 5 stars.'), z.maximum(5, 'Give 1 to 5 stars.')),
    words: optionalText('The words', maxRatingWords),
    ...guestPhone,
  }),
)
