import * as z from 'zod/mini'
import { message, send } from '../endpoint.ts'
import { body, Phone } from '../fields.ts'
import { operation } from '../operation.ts'

/**
 * A person changes their phone number, which counts once it is confirmed. `keeps`: the number that counts is asked for
 * again, which takes back a change not yet confirmed.
 */
export const changePhone = operation({
  input: z.object({ phone_number: z.string(), keeps: z.optional(z.literal(true)) }),
  call: send('PATCH', '/users/me/phone', 'person', message),
  body: ({ phone_number }) => ({ phone_number }),
})

/** What the server takes. */
export const changePhoneBody = body(() => z.object({ phone_number: Phone }))
