import * as z from 'zod/mini'
import type { Ratings } from '../users/rating.ts'
import { isOffice } from '../users/user.ts'
import { type Actor, type Delivery, isSenderOf, isStatusStep } from './delivery.ts'

export const DisputeType = z.enum(['sender_issue', 'driver_issue'])
export type DisputeType = z.infer<typeof DisputeType>

/** One of the two sides of a delivery: the sender or guest, or the driver. */
export type Side = keyof Ratings

export const issueOf = (side: Side): DisputeType =>
  side === 'driver' ? 'driver_issue' : 'sender_issue'

export const DisputeStatus = z.enum(['open', 'resolved'])
export type DisputeStatus = z.infer<typeof DisputeStatus>

/** Longest resolution, in characters (R32). */
export const maxResolution = 1_000

/**
 * An issue reported about a delivery (R32). `priority` is always medium; a missing `status` reads as open.
 * `reporter`: the side that reported it (R128), with a name unless the server did it for that side.
 */
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
  reporter: z.optional(
    z.object({ side: z.enum(['sender', 'driver']), name: z.optional(z.string()) }),
  ),
})
export type Dispute = z.infer<typeof Dispute>

/** As the server stores it. `reportedBy`: the account whose side it was at that time; nobody reads it. */
export type StoredDispute = Dispute & { reportedBy?: string }

/** Who reported it, as it is stored: the type names the side. */
export const reporterOf = (row: {
  type?: DisputeType
  reporterName?: string | null
}): Dispute['reporter'] => ({
  side: row.type === 'driver_issue' ? 'driver' : 'sender',
  ...(row.reporterName ? { name: row.reporterName } : {}),
})

/** Without what nobody reads. */
export const publicDispute = ({ reportedBy: _, ...dispute }: StoredDispute): Dispute => dispute

/**
 * The disputes that this viewer may read: an admin all, each party what their side reported while they were on
 * it (R59). A later driver of the job reads nothing of the one before.
 */
export function visibleDisputes(
  viewer: Actor | undefined,
  delivery: Delivery,
  disputes: readonly StoredDispute[],
): Dispute[] {
  if (!viewer) return []
  const isAdmin = 'user' in viewer && isOffice(viewer.user)
  const isVisible = (dispute: StoredDispute) =>
    isAdmin ||
    (dispute.type === 'driver_issue'
      ? 'user' in viewer && isOfDriver(dispute, delivery, viewer.user.ID)
      : isSenderOf(delivery, viewer))
  return disputes.filter(isVisible).map(publicDispute)
}

/** Reports of an earlier version do not say who made them: since the last acceptance it was the present driver. */
function isOfDriver(
  { reportedBy, CreatedAt = '' }: StoredDispute,
  { driver, history = [] }: Delivery,
  id: string,
): boolean {
  if (reportedBy !== undefined) return reportedBy === id
  const accepted = history.findLast((step) => step.status === 'Accepted' && isStatusStep(step))
  return driver?.id === id && accepted !== undefined && CreatedAt >= accepted.at
}
