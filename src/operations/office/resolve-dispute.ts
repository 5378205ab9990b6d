import * as z from 'zod/mini'
import { DecisionKind } from '#domain/deliveries/endings/incidents.ts'
import { oneDispute, send } from '../endpoint.ts'
import { body, requiredText } from '../fields.ts'
import { operation } from '../operation.ts'

/**
 * An admin resolves a dispute (R32). Without a decision no money moves. `driverShare` in cedis, for a split (R107).
 */
export const resolveDispute = operation({
  input: z.object({
    id: z.string(),
    resolution: z.string(),
    decision: z.optional(DecisionKind),
    driverShare: z.optional(z.number()),
  }),
  call: send('PATCH', '/admin/disputes/:id', 'admin', oneDispute),
  body: ({ resolution, decision, driverShare }) => ({
    status: 'resolved',
    resolution,
    decision,
    driverShare,
  }),
})

/** What the server takes. */
export const resolveDisputeBody = body(() =>
  z.object({
    status: z.literal('resolved', 'A dispute can only be resolved.'),
    resolution: requiredText('A resolution'),
    decision: z.optional(
      z.enum(DecisionKind.def.entries, 'The decision must be release, refund, split or none.'),
    ),
    driverShare: z.optional(z.number('The driver’s share must be a number.')),
  }),
)
