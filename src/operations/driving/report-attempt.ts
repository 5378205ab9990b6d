import * as z from 'zod/mini'
import {
  AttemptReason,
  defaultEndingTerms,
  hasIncident,
} from '#domain/deliveries/endings/incidents.ts'
import { attempt } from '#domain/deliveries/endings/returns.ts'
import { oneDelivery, send } from '../endpoint.ts'
import { body, optionalText } from '../fields.ts'
import { deliveryOperation, personIn } from '../operation.ts'

/**
 * The driver could not hand the parcel over (R102). `photo`: on this phone. `wait`: milliseconds before the return, as
 * foreseen on this phone (R103): no request has it.
 */
export const reportAttempt = deliveryOperation({
  input: z.object({
    id: z.string(),
    reason: AttemptReason,
    note: z.optional(z.string()),
    photo: z.optional(z.string()),
    wait: z.optional(z.number()),
  }),
  call: send('POST', '/driver/deliveries/:id/attempt', 'driver', oneDelivery),
  body: ({ reason, note }, { photoUrl }) => ({ reason, note, photo: photoUrl }),
  by: 'driver',
  rule: (delivery, actor, when, { reason, note, wait }, terms: Terms = {}) => {
    const said = { reason, note, photo: terms.photo }
    const times = { wait: terms.wait ?? wait ?? defaultEndingTerms.wait }
    return attempt(delivery, personIn(actor), said, when, times)
  },
  sample: { reason: 'absent' },
  isVisible: (row, { occurredAt }) => hasIncident(row, 'attempt', occurredAt),
  queue: { urgent: true },
})

/** `photo`: its address. `wait`: milliseconds, as the server is configured. */
type Terms = { photo?: string; wait?: number }

/** What the server takes. */
export const reportAttemptBody = body(() =>
  z.object({
    reason: z.enum(
      AttemptReason.def.entries,
      'The reason must be absent, refused, wrong-place or unsafe.',
    ),
    note: optionalText('The note'),
    photo: optionalText('The photo'),
  }),
)
