import * as z from 'zod/mini'
import { operation } from '../operation.ts'

/** A person's report about a delivery, which opens a dispute (R29). */
export const reportIssue = operation({
  input: z.object({
    id: z.string(),
    issue: z.string(),
    type: z.enum(['sender_issue', 'driver_issue']),
  }),
  request: ({ issue, type }, { id, isGuest, guestPhone }) => ({
    op: isGuest ? 'createGuestDispute' : 'createDispute',
    body: { deliveryId: id, issue, type, priority: 'medium', guestPhone },
  }),
})
