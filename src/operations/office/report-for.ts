import * as z from 'zod/mini'
import { oneDispute, send } from '../endpoint.ts'
import { body, requiredText } from '../fields.ts'
import { operation } from '../operation.ts'

/** The office opens a dispute for somebody who called (R195). */
export const reportFor = operation({
  input: z.object({ id: z.string(), side: z.enum(['sender', 'driver']), issue: z.string() }),
  call: send('POST', '/admin/deliveries/:id/dispute', 'office', oneDispute, 201),
  body: ({ side, issue }) => ({ side, issue }),
})

/** What the server takes. */
export const reportForBody = body(() =>
  z.object({
    side: z.enum(['sender', 'driver'], 'The side must be sender or driver.'),
    issue: requiredText('A description of the issue'),
  }),
)
