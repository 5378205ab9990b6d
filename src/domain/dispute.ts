import * as z from 'zod/mini'

export const DisputeType = z.enum(['sender_issue', 'driver_issue'])
export type DisputeType = z.infer<typeof DisputeType>

/** Spec §3. `priority` is always medium. */
export const Dispute = z.object({
  ID: z.string(),
  DeliveryID: z.string(),
  issue: z.optional(z.string()),
  type: z.optional(DisputeType),
  priority: z.optional(z.string()),
  CreatedAt: z.optional(z.string()),
})
export type Dispute = z.infer<typeof Dispute>
