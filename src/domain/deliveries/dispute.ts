import * as z from 'zod/mini'
import { type Actor, type Delivery, isDriverOf, isSenderOf } from './delivery.ts'

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

/** The disputes that this viewer reported, or may answer: admins see all, each party what their side reported (R59). */
export function visibleDisputes(
  viewer: Actor | undefined,
  delivery: Delivery,
  disputes: readonly Dispute[],
): Dispute[] {
  if (!viewer) return []
  if ('user' in viewer && viewer.user.role === 'admin') return [...disputes]
  const isDriver = 'user' in viewer && isDriverOf(delivery, viewer.user)
  const side = isSenderOf(delivery, viewer) ? 'sender_issue' : isDriver ? 'driver_issue' : undefined
  return disputes.filter(({ type }) => type === side)
}
