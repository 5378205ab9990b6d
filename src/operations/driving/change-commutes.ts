import * as z from 'zod/mini'
import { maxName } from '#domain/deliveries/draft.ts'
import { Commute } from '#domain/users/commute.ts'
import { maxCommutes } from '#domain/users/commutes.ts'
import { User } from '#domain/users/user.ts'
import { send } from '../endpoint.ts'
import { body } from '../fields.ts'
import { operation } from '../operation.ts'

/** Replaces all of a driver's commutes (R166). */
export const changeCommutes = operation({
  input: z.object({ commutes: z.array(Commute) }),
  call: send('PUT', '/driver/commutes', 'driver', z.object({ user: User })),
  body: (input) => input,
})

const Zone = body(() =>
  z
    .string('A commute needs two zones.')
    .check(z.minLength(1, 'A commute needs two zones.'), z.maxLength(maxName, 'Zone is too long.')),
)
const badTime = 'A time is written as 07:00.'
const Time = body(() => z.string(badTime).check(z.maxLength(5, badTime)))

/** What the server takes. */
export const changeCommutesBody = body(() =>
  z.object({
    commutes: z
      .array(
        z.object({
          from: Zone,
          to: Zone,
          days: z.array(z.number('A day is a number from 1 to 7.')).check(z.maxLength(7)),
          leaves: z.optional(Time),
          returns: z.optional(Time),
          notify: z.boolean('Say whether you are told of jobs on this commute.'),
        }),
        'Send a list of commutes.',
      )
      .check(z.maxLength(maxCommutes, `Keep at most ${maxCommutes} commutes.`)),
  }),
)
