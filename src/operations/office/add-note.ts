import * as z from 'zod/mini'
import { send } from '../endpoint.ts'
import { body, requiredText } from '../fields.ts'
import { operation } from '../operation.ts'

/** An admin writes a note about a person, who never reads it (R202). The response has a `Note`, which no phone needs. */
export const addNote = operation({
  input: z.object({ id: z.string(), text: z.string() }),
  call: send('POST', '/admin/users/:id/notes', 'office', z.object({ note: z.unknown() }), 201),
  body: ({ text }) => ({ text }),
})

/** What the server takes. */
export const addNoteBody = body(() => z.object({ text: requiredText('The note') }))
