import * as z from 'zod/mini'
import { message, send } from '../endpoint.ts'
import { operation } from '../operation.ts'

/** The office has the delivery code sent to its sender by SMS (R196). */
export const sendCode = operation({
  input: z.object({ id: z.string() }),
  call: send('POST', '/admin/deliveries/:id/code', 'office', message),
})
