import * as z from 'zod/mini'
import { Choice } from '#domain/choices.ts'
import { message, send } from '../endpoint.ts'
import { body, Name } from '../fields.ts'
import { operation } from '../operation.ts'

/*
 * An admin's changes of the lists that people choose from: zones and item types.
 */

const named = {
  input: z.object({ name: z.string() }),
  body: (input: { name: string }) => input,
}
const removed = { input: z.object({ id: z.string(), name: z.string() }) }

export const addZone = operation({
  ...named,
  call: send('POST', '/admin/zones', 'admin', z.object({ zone: Choice }), 201),
})
export const removeZone = operation({
  ...removed,
  call: send('DELETE', '/admin/zones/:id', 'admin', message),
})
export const addItem = operation({
  ...named,
  call: send('POST', '/admin/items', 'admin', z.object({ item: Choice }), 201),
})
export const removeItem = operation({
  ...removed,
  call: send('DELETE', '/admin/items/:id', 'admin', message),
})

/** What the server takes of a new one. */
export const newChoiceBody = body(() => z.object({ name: Name }))
