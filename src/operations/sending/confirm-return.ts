import * as z from 'zod/mini'
import { defaultEndingTerms, type EndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { confirmReturn as confirm } from '#domain/deliveries/endings/returns.ts'
import { oneDelivery, send } from '../endpoint.ts'
import { body, guestPhone } from '../fields.ts'
import { deliveryOperation } from '../operation.ts'

/** The sender or guest has the parcel back (R105). */
export const confirmReturn = deliveryOperation({
  input: z.object({ id: z.string() }),
  call: send('POST', '/deliveries/:id/return/confirm', 'person-or-guest', oneDelivery),
  body: (_, { guestPhone }) => ({ guestPhone }),
  by: 'sender',
  rule: (delivery, actor, when, _, terms: EndingTerms = defaultEndingTerms) =>
    confirm(delivery, actor, when, terms),
  isVisible: ({ outcome }) => outcome === 'returned',
  queue: { urgent: true },
})

/** What the server takes. */
export const confirmReturnBody = body(() => z.object(guestPhone))
