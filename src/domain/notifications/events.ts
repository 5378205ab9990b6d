import { type Actor, type Delivery, isDriverOf, isSenderOf } from '../deliveries/delivery.ts'
import { isClaimed } from '../deliveries/endings/cancel-hold.ts'
import { moneyDecision } from '../deliveries/endings/decide.ts'
import { isSaidUnpaid } from '../deliveries/endings/direct-payment.ts'
import { isToldOf } from '../deliveries/handover/delivery-code.ts'
import { lastOfOffice } from '../deliveries/office/office.ts'
import { partOf } from '../deliveries/payment.ts'
import type { NotificationKind } from './kinds.ts'

/** Something to tell one side of a delivery; `former`: the driver before the change. */
export type NotificationEvent = { kind: NotificationKind; to: 'sender' | 'driver' | 'former' }

/**
 * What a change of a delivery tells to whom (R115): never to the one who made it. `by` is missing where the
 * server acts by itself.
 */
export function notificationsOf(
  before: Delivery,
  after: Delivery,
  by: Actor | undefined,
): NotificationEvent[] {
  // What was done before a cancel is reported by the driver's phone: both read what has become of it (R124).
  if (isClaimed(after) && !isClaimed(before)) return tell('dispute', 'sender', 'driver')
  const isBySender = by !== undefined && isSenderOf(before, by)
  const isByDriver = by !== undefined && 'user' in by && isDriverOf(before, by.user)
  return eventsOf(before, after).filter(({ to }) => (to === 'sender' ? !isBySender : !isByDriver))
}

/** What each side is told when the office has given the job to somebody else, or put it back on offer (R192). */
function changedDriver(before: Delivery, after: Delivery): NotificationEvent[] {
  const former = before.driver ? tell('released', 'former') : []
  if (after.status === 'Accepted') return [...tell('accepted', 'sender', 'driver'), ...former]
  return [...tell('released', 'sender'), ...former]
}

/** Whether a step of the office has changed who drives. */
const isReassigned = (before: Delivery, after: Delivery): boolean =>
  before.driver?.id !== after.driver?.id && lastOfOffice(after) !== undefined

/** Whether the office has given a part of the driver's money back to the sender (R228). */
const isRefunded = (before: Delivery, after: Delivery): boolean =>
  after.status === 'Approved' && partOf(after) < partOf(before)

function eventsOf(before: Delivery, after: Delivery): NotificationEvent[] {
  const driver = before.driver ? (['driver'] as const) : []
  // The decision says how it ends, whichever way: both sides read it.
  if (moneyDecision(after) && !moneyDecision(before)) return tell('dispute', 'sender', ...driver)
  if (isReassigned(before, after)) return changedDriver(before, after)
  if (before.status !== after.status) return statusEvents(before, after)
  if (isRefunded(before, after)) return tell('dispute', 'sender', ...driver)
  if (isSaidUnpaid(after) && !isSaidUnpaid(before)) return tell('dispute', 'sender')
  if (!before.returning && after.returning) return tell('returning', 'sender')
  // Support has answered, and the time until the approval begins anew (R108).
  if (after.status === 'Delivered' && after.dueAt !== before.dueAt && !after.disputed)
    return tell('approval-due', 'sender')
  if ((after.attempts ?? 0) > (before.attempts ?? 0)) return tell('attempt', 'sender')
  if ((after.wrongCodes ?? 0) > (before.wrongCodes ?? 0) && isToldOf(after))
    return tell('wrong-code', 'sender')
  return []
}

function statusEvents(before: Delivery, after: Delivery): NotificationEvent[] {
  const driver = before.driver ? (['driver'] as const) : []
  switch (after.status) {
    case 'Pending':
      return tell('released', 'sender')
    case 'Accepted':
      return tell('accepted', 'sender')
    case 'Picked Up':
      return tell('picked-up', 'sender')
    case 'Delivered':
      return [...tell('delivered', 'sender'), ...tell('approval-due', 'sender')]
    case 'Approved':
      return tell('approved', 'sender', ...driver)
    case 'Cancelled':
      // A return that was confirmed ends it: that is no cancellation (R105).
      return tell(after.outcome === 'returned' ? 'returning' : 'cancelled', 'sender', ...driver)
  }
}

const tell = (kind: NotificationKind, ...sides: NotificationEvent['to'][]): NotificationEvent[] =>
  sides.map((to) => ({ kind, to }))

/** Statuses in which a message of a kind still says something true; missing: in any. */
const timely: Partial<Record<NotificationKind, Delivery['status'][]>> = {
  accepted: ['Accepted'],
  released: ['Pending'],
  'picked-up': ['Picked Up'],
  delivered: ['Delivered'],
  'approval-due': ['Delivered'],
  attempt: ['Picked Up'],
  'wrong-code': ['Picked Up'],
  'new-job': ['Pending'],
  cancelled: ['Cancelled'],
  approved: ['Approved'],
}

/** Whether a message still says something true: a newer one follows where it does not. */
export function isTimely(kind: NotificationKind, delivery: Delivery): boolean {
  // With an open issue support decides, not the clock (R108).
  if (kind === 'approval-due' && delivery.disputed) return false
  const isComingBack = delivery.status === 'Picked Up' && delivery.returning !== undefined
  // Cancelled otherwise it has not come back.
  if (kind === 'returning') return isComingBack || delivery.outcome === 'returned'
  // Nobody is to call the recipient any more, or to give them the code.
  if ((kind === 'attempt' || kind === 'picked-up') && isComingBack) return false
  return timely[kind]?.includes(delivery.status) ?? true
}
