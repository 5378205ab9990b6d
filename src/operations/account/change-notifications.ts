import * as z from 'zod/mini'
import { NotifiedRoute, QuietHours } from '#domain/users/notification-settings.ts'
import { User } from '#domain/users/user.ts'
import { send } from '../endpoint.ts'
import { body } from '../fields.ts'
import { operation } from '../operation.ts'

const Hour = body(() =>
  z
    .number()
    .check(
      z.refine(
        (hour) => Number.isInteger(hour) && hour >= 0 && hour < 24,
        'An hour is a whole number from 0 to 23.',
      ),
    ),
)
const ZoneOrAny = body(() => z.string().check(z.minLength(1), z.maxLength(200)))

/** What a person is told of with the app closed (R121). */
export const changeNotifications = operation({
  input: z.object({
    kinds: z.optional(z.record(z.string(), z.boolean())),
    routes: z.optional(z.array(NotifiedRoute)),
    quiet: z.optional(QuietHours),
  }),
  call: send('PATCH', '/users/me/notifications', 'person', z.object({ user: User })),
  body: (input) => input,
})

/** What the server takes. */
export const changeNotificationsBody = body(() =>
  z
    .object({
      kinds: z.optional(z.record(z.string().check(z.maxLength(40)), z.boolean())),
      routes: z.optional(
        z.array(z.object({ from: ZoneOrAny, to: ZoneOrAny })).check(z.maxLength(50)),
      ),
      quiet: z.optional(z.object({ from: Hour, to: Hour })),
    })
    .check(
      z.refine(
        ({ kinds, routes, quiet }) =>
          kinds !== undefined || routes !== undefined || quiet !== undefined,
        'Nothing to change.',
      ),
    ),
)
