import * as z from 'zod/mini'
import { maxReason } from '#domain/deliveries/draft.ts'
import { type Assignee, assign } from '#domain/deliveries/office/assign.ts'
import { oneDelivery, send } from '../endpoint.ts'
import { body, requiredText } from '../fields.ts'
import { deliveryOperation } from '../operation.ts'

/** The office gives a job to a driver, by their ID, or puts it back on offer with `null` (R192). */
export const assignDriver = deliveryOperation({
  input: z.object({ id: z.string(), driver: z.nullable(z.string()), reason: z.string() }),
  call: send('POST', '/admin/deliveries/:id/driver', 'office', oneDelivery),
  body: ({ driver, reason }) => ({ driver, reason }),
  rule: (delivery, actor, when, input, assignee?: Assignee) =>
    assign(delivery, actor, when, input, assignee),
  sample: { driver: '', reason: '' },
  // Only the server knows whether that driver is free.
  isUnforeseen: true,
})

/** What the server takes. */
export const assignDriverBody = body(() =>
  z.object({
    driver: z.nullable(
      z
        .string('Name the driver by their ID, or null to put it on offer.')
        .check(z.maxLength(maxReason, 'That is no ID of a driver.')),
    ),
    reason: requiredText('A reason', maxReason),
  }),
)
