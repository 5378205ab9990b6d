import { Refusal } from '../../errors.ts'
import type { User } from '../../users/user.ts'
import {
  type ActionTime,
  type Delivery,
  isDriverOf,
  type Status,
  type StatusChange,
} from '../delivery.ts'
import { timesOf } from '../effective-time.ts'

/*
 *   Accepted, Picked Up ──cancel──▶ Cancelled, refund held ──cancel seen, or its time is over──▶ refund done
 *                                          │
 *                                          └──late report──▶ held until an admin decides (decide.ts)
 *
 * The driver may have picked up or delivered without a network before the cancel: until their phone has sent all
 * that it had queued, the money stays set aside (R123, R124).
 */

/** Whether the money of a cancelled job is still set aside (R123). */
export const isHeld = ({ status, refund }: Pick<Delivery, 'status' | 'refund'>): boolean =>
  status === 'Cancelled' && refund === 'held'

/** Whether held money waits for an admin's decision, whatever the driver's phone or the clock says (R124). */
export const isClaimed = (delivery: Pick<Delivery, 'status' | 'refund' | 'refundDueAt'>): boolean =>
  isHeld(delivery) && delivery.refundDueAt === undefined

/** What a cancel of a job under way adds: its money is held for `hold` milliseconds at most (R123). */
export const holdFrom = (at: string, hold: number): Pick<Delivery, 'refund' | 'refundDueAt'> => ({
  refund: 'held',
  refundDueAt: new Date(Date.parse(at) + hold).toISOString(),
})

/** The held money goes back to the sender: nobody has claimed it, or an admin has decided so. */
export const endHold = (delivery: Delivery, at: string): Delivery => ({
  ...delivery,
  refund: 'done',
  refundDueAt: undefined,
  updatedAt: at,
})

/**
 * The driver's phone has seen the cancel, and has sent all that it had queued before (R123). It changes nothing
 * where the money has gone back already, or waits for a decision. Refusals: not-allowed, wrong-status.
 */
export function acknowledgeCancel(delivery: Delivery, driver: User, at: string): Delivery {
  if (!isDriverOf(delivery, driver)) throw new Refusal('not-allowed')
  if (delivery.status !== 'Cancelled') throw new Refusal('wrong-status')
  return isHeld(delivery) && !isClaimed(delivery) ? endHold(delivery, at) : delivery
}

/** What each report needs to have come before it. */
const reportedAfter: Partial<Record<Status, Status>> = {
  'Picked Up': 'Accepted',
  Delivered: 'Picked Up',
  // A return that the sender's own code proves.
  Cancelled: 'Picked Up',
}

/**
 * The driver of a cancelled job did this before the cancel, says `occurredAt`, and it is heard only now (R124).
 * It stands in the history and ends nothing; the money waits for an admin. Whether they are still approved does
 * not count: an admin decides anyway. Refusals: not-allowed, wrong-status.
 */
export function reportLate(
  delivery: Delivery,
  driver: User,
  status: 'Picked Up' | 'Delivered' | 'Cancelled',
  when: ActionTime,
): Delivery {
  if (!isDriverOf(delivery, driver)) throw new Refusal('not-allowed')
  if (!isBeforeCancel(delivery, when) || lastOfDriver(delivery) !== reportedAfter[status])
    throw new Refusal('wrong-status')
  const { history = [] } = delivery
  // It follows the driver's step before it, not the cancel (R133).
  const times = timesOf({ ...delivery, history: history.filter(isOfDriver) }, when)
  return {
    ...delivery,
    history: [...history, { status, ...times, late: true }],
    disputed: true,
    refundDueAt: undefined,
    updatedAt: when.at,
  }
}

/** Whether a change of a delivery is a report from before its cancel. */
export const isLateReport = (before: Delivery, after: Delivery): boolean =>
  lateSteps(after).length > lateSteps(before).length

/** What was reported after the cancel, and had happened before it (R124). */
export const lateSteps = ({ history = [] }: Pick<Delivery, 'history'>) =>
  history.filter(({ late }) => late === true)

/** The cancel counts from its receipt: before it nobody could know of it. */
function isBeforeCancel({ history = [] }: Delivery, { occurredAt }: ActionTime): boolean {
  const cancelled = history.findLast(({ status, late }) => status === 'Cancelled' && !late)
  return Date.parse(occurredAt ?? '') <= Date.parse(cancelled?.at ?? '')
}

/** How far the driver had come, late reports included. */
export const lastOfDriver = ({ history = [] }: Delivery): Status | undefined =>
  history.findLast(isOfDriver)?.status

const isOfDriver = ({ status, late }: StatusChange) => status !== 'Cancelled' || late === true
