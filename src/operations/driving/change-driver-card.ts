import * as z from 'zod/mini'
import { maxText } from '#domain/deliveries/draft.ts'
import { isDay } from '#domain/users/licence.ts'
import { User } from '#domain/users/user.ts'
import { send } from '../endpoint.ts'
import { body } from '../fields.ts'
import { operation } from '../operation.ts'

/**
 * A driver changes what senders see of them (R114). A missing field stays; an empty one is removed. `photo`: on this
 * phone.
 */
export const changeDriverCard = operation({
  input: z.object({
    photo: z.optional(z.string()),
    licenceNumber: z.optional(z.string()),
    licenceExpires: z.optional(z.string()),
  }),
  call: send('PATCH', '/driver/card', 'driver', z.object({ user: User })),
  body: ({ photo, ...licence }, { photoUrl }) => ({ ...licence, photo: photo && photoUrl }),
})

/** What the server takes. */
export const changeDriverCardBody = body(() =>
  z.object({
    photo: z.optional(z.string().check(z.maxLength(maxText, 'The photo is too long.'))),
    licenceNumber: z.optional(
      z.string().check(z.trim(), z.maxLength(100, 'The licence number is too long.')),
    ),
    licenceExpires: z.optional(
      z
        .string()
        .check(
          z.refine(
            (day) => day === '' || isDay(day),
            'The expiry must be a day, such as 2027-03-31.',
          ),
        ),
    ),
  }),
)
