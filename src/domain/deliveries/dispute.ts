import * as z from 'zod/mini'

export const DisputeType = z.enum(['sender_issue', 'driver_issue'])
export type DisputeType = z.infer<typeof DisputeType>

export const DisputeStatus = z.enum(['open', 'resolved'])
export type DisputeStatus = z.infer<typeof DisputeStatus>

/** Longest resolution, in characters (R32). */
export const maxResolution = 1_000

/** An issue reported about a delivery (R32). `priority` is always medium; a missing `status` reads as open. */
export const Dispute = z.object({
  ID: z.string(),
  DeliveryID: z.string(),
  issue: z.optional(z.string()),
  type: z.optional(DisputeType),
  priority: z.optional(z.string()),
  CreatedAt: z.optional(z.string()),
  status: z.optional(DisputeStatus),
  resolution: z.optional(z.string()),
  ResolvedAt: z.optional(z.string()),
})
export type Dispute = z.infer<typeof Dispute>
