import { type Actor, type Delivery, isOnOffer } from '#domain/deliveries/delivery.ts'
import type { StoredDispute } from '#domain/deliveries/dispute.ts'
import { notificationsOf } from '#domain/notifications/events.ts'
import type { NotificationKind, OfficeKind } from '#domain/notifications/kinds.ts'
import type { Stores } from '../ports/repo.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Addressee } from '../ports/stores/notification-store.ts'

/**
 * Queues the notifications of a change of a delivery, for its two sides and, for a job on offer, drivers; in
 * the change's transaction (R115).
 */
export async function notifyOfChange(
  stores: Stores,
  secrets: Secrets,
  before: Delivery,
  after: Delivery,
  by: Actor | undefined,
): Promise<void> {
  for (const { kind, to } of notificationsOf(before, after, by)) {
    const addressee = to === 'sender' ? senderOf(after) : driverOf(to === 'former' ? before : after)
    if (!addressee) continue
    const dueAt = kind === 'approval-due' ? reminderTime(after) : after.updatedAt
    // The time of the approval has changed: the reminder of the old one would come too early.
    if (kind === 'approval-due') await stores.notifications?.removeOf(kind, after.ID)
    await queue(stores, secrets, kind, addressee, { after, dueAt })
  }
  if (isOnOffer(after) && (!isOnOffer(before) || after.offer > before.offer))
    await notifyOfJob(stores, secrets, after)
}

/** Queues the news of a job that is on offer now, or at a better price (R120, R169). */
export const notifyOfJob = (stores: Stores, secrets: Secrets, job: Delivery): Promise<void> =>
  queue(stores, secrets, 'new-job', 'route', { after: job, dueAt: job.updatedAt })

/** Queues the answer to a report for the person who made it (R115), who may not be the current driver. */
export async function notifyOfAnswer(
  stores: Stores,
  secrets: Secrets,
  delivery: Delivery,
  { type, reportedBy }: StoredDispute,
): Promise<void> {
  const side = type === 'driver_issue' ? driverOf(delivery) : senderOf(delivery)
  const addressee = reportedBy === undefined ? side : { user: reportedBy }
  if (!addressee) return
  await queue(stores, secrets, 'dispute', addressee, { after: delivery, dueAt: delivery.updatedAt })
}

/** Queues the decision on a driver's application (R115). */
export async function notifyOfDecision(
  stores: Stores,
  secrets: Secrets,
  driverId: string,
  at: string,
): Promise<void> {
  await stores.notifications?.add({
    id: secrets.id(),
    kind: 'application',
    to: { user: driverId },
    at,
    dueAt: at,
    tries: 0,
  })
}

/**
 * Queues it for each admin with a browser that is told, but not for the one who did it (R224), in the transaction
 * of what happened.
 */
export const notifyOffice = async (
  { notifications }: Stores,
  about: { kind: OfficeKind; at: string; deliveryId?: string; by?: Actor },
): Promise<void> => {
  const { by, ...rest } = about
  const except = by && 'user' in by ? by.user.ID : undefined
  await notifications?.addForOffice({ ...rest, except })
}

const queue = async (
  { notifications }: Stores,
  secrets: Secrets,
  kind: NotificationKind,
  to: Addressee,
  { after, dueAt }: { after: Delivery; dueAt: string },
) => {
  const id = secrets.id()
  await notifications?.add({
    id,
    kind,
    to,
    deliveryId: after.ID,
    at: after.updatedAt,
    dueAt,
    tries: 0,
  })
}

const senderOf = ({ sender, isGuestDelivery }: Delivery): Addressee | undefined =>
  sender ? { user: sender.id } : isGuestDelivery ? 'guest' : undefined

const driverOf = ({ driver }: Delivery): Addressee | undefined =>
  driver ? { user: driver.id } : undefined

/** Half-way to the automatic approval (R106). */
function reminderTime({ updatedAt, dueAt }: Delivery): string {
  const [from, until] = [Date.parse(updatedAt), Date.parse(dueAt ?? updatedAt)]
  return new Date(from + (until - from) / 2).toISOString()
}
