import * as z from 'zod/mini'
import { message, send } from '../endpoint.ts'
import { operation } from '../operation.ts'

/** A person signs out on another of their devices. */
export const endSession = operation({
  input: z.object({ id: z.string() }),
  call: send('DELETE', '/sessions/:id', 'person', message),
})
