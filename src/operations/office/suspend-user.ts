import * as z from 'zod/mini'
import { maxReason } from '#domain/deliveries/draft.ts'
import { User } from '#domain/users/user.ts'
import { send } from '../endpoint.ts'
import { body, requiredText } from '../fields.ts'
import { operation } from '../operation.ts'

/** An admin suspends a person, or lifts it (R198). `until`: ISO 8601; without it until it is lifted. */
export const suspendUser = operation({
  input: z.object({
    id: z.string(),
    suspended: z.boolean(),
    reason: z.string(),
    until: z.optional(z.string()),
  }),
  call: send('PATCH', '/admin/users/:id', 'admin', z.object({ user: User })),
  body: ({ suspended, reason, until }) => ({ suspended, reason, until }),
})

/** What the server takes. */
export const suspendUserBody = body(() =>
  z
    .object({
      suspended: z.boolean('Suspended must be true or false.'),
      reason: requiredText('A reason', maxReason),
      until: z.optional(z.iso.datetime({ offset: true, error: 'The end must be a time.' })),
    })
    .check(
      z.refine(
        ({ suspended, until }) => suspended || until === undefined,
        'Only a suspension has an end.',
      ),
    ),
)
