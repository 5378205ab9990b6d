import { Refusal } from '../../errors.ts'
import type { User } from '../../users/user.ts'
import type { ActionTime, Actor, Delivery } from '../delivery.ts'
import { correctionOf, effectiveTime, timesOf } from '../effective-time.ts'
import { mustBeDriverOf, mustBeSenderOf, next } from '../transitions.ts'
import { isHeld, reportLate } from './cancel-hold.ts'
import { type AttemptReason, type EndingTerms, returnShareOf } from './incidents.ts'

/*
 *   Picked Up ──attempt──▶ (wait) ──return──▶ returning ──confirm──▶ Cancelled, outcome "returned"
 *       ▲         │ again      │                  │
 *       └─────────┘            └──── deliver ─────┴──▶ Delivered
 */

/** A failed attempt to hand over. `photo`: its address, empty in a prediction. */
export type Attempt = { reason: AttemptReason; note?: string; photo?: string }

/** Attempts of one job (R134). */
const mostAttempts = 10

/**
 * The driver could not hand the parcel over (R102). The first attempt begins the wait (R103, R133).
 * Refusals: not-allowed, driver-not-approved, unverified, wrong-status, attempts.
 */
export function attempt(
  delivery: Delivery,
  driver: User,
  { reason, note, photo }: Attempt,
  when: ActionTime,
  { wait }: Pick<EndingTerms, 'wait'>,
): Delivery {
  mustBeDriverOf(delivery, driver)
  if (delivery.status !== 'Picked Up' || delivery.returning) throw new Refusal('wrong-status')
  if ((delivery.attempts ?? 0) >= mostAttempts) throw new Refusal('attempts')
  const times = timesOf(delivery, when)
  const incident = { kind: 'attempt' as const, reason, note, photo, driver: driver.ID, ...times }
  const from = effectiveTime(times)
  return {
    ...delivery,
    attempts: (delivery.attempts ?? 0) + 1,
    incidents: [...(delivery.incidents ?? []), incident],
    returnFrom: delivery.returnFrom ?? new Date(from + wait).toISOString(),
    updatedAt: when.at,
  }
}

/**
 * The driver brings the parcel back (R104), after an attempt and its wait. `returnCode`: five digits that the
 * sender gets; `dueAt`: when an admin is asked about it (R106). `receivedAt`: by the server's clock, in milliseconds
 * since 1970; a phone foresees it by `receiptOfReturn`.
 * Refusals: not-allowed, driver-not-approved, unverified, wrong-status, wait.
 */
export function startReturn(
  delivery: Delivery,
  driver: User,
  note: string | undefined,
  when: ActionTime,
  made: Pick<Delivery, 'returnCode' | 'dueAt'> = {},
  receivedAt = Date.parse(when.at),
): Delivery {
  mustBeDriverOf(delivery, driver)
  if (delivery.status !== 'Picked Up' || delivery.returning) throw new Refusal('wrong-status')
  const { returnFrom, incidents = [] } = delivery
  const attempted = incidents.findLast(({ kind }) => kind === 'attempt')
  if (!returnFrom || !attempted)
    throw new Refusal('wait', 'Report first that you could not deliver the parcel.')
  const times = timesOf(delivery, when)
  // Where the clock was behind when the wait began, the wait is measured by that clock, but no later than the receipt.
  const asked = Math.min(
    receivedAt,
    Date.parse(when.occurredAt ?? when.at) + waitCorrection(delivery),
  )
  if (Math.max(effectiveTime(times), asked) < Date.parse(returnFrom)) throw new Refusal('wait')
  const { reason } = attempted
  const incident = { kind: 'return' as const, reason, note, driver: driver.ID, ...times }
  return {
    ...delivery,
    ...made,
    returning: { at: when.at, reason },
    incidents: [...incidents, incident],
    updatedAt: when.at,
  }
}

/** By how much the clock of the driver's phone was behind when the wait before the return began; negative: ahead. */
function waitCorrection({ incidents = [] }: Delivery): number {
  const first = incidents.find(({ kind }) => kind === 'attempt')
  return first ? correctionOf(first) : 0
}

/**
 * From when on the driver can return the parcel, in milliseconds since 1970 by the clock of their phone (R103);
 * nothing before the first attempt.
 */
export const returnableAt = (delivery: Delivery): number | undefined =>
  delivery.returnFrom === undefined
    ? undefined
    : Date.parse(delivery.returnFrom) - waitCorrection(delivery)

/** When the server receives a return that is asked for now, as the phone foresees it. `at`: ISO, by the phone's clock. */
export const receiptOfReturn = (delivery: Delivery, { at }: Pick<ActionTime, 'at'>): number =>
  Date.parse(at) + Math.max(0, waitCorrection(delivery))

/**
 * The sender or guest has the parcel back (R105). Refusals: not-allowed, unverified, wrong-status.
 */
export function confirmReturn(
  delivery: Delivery,
  actor: Actor,
  when: ActionTime,
  terms: Pick<EndingTerms, 'returnShare'>,
): Delivery {
  mustBeSenderOf(delivery, actor)
  return endReturn(delivery, when, terms)
}

/**
 * The driver proves with the sender's own code that the sender has the parcel back (R105). The server compares
 * the code. Refusals: not-allowed, driver-not-approved, unverified, wrong-status.
 */
export function proveReturn(
  delivery: Delivery,
  driver: User,
  when: ActionTime,
  terms: Pick<EndingTerms, 'returnShare'>,
): Delivery {
  if (isHeld(delivery)) return reportLate(delivery, driver, 'Cancelled', when)
  mustBeDriverOf(delivery, driver)
  return endReturn(delivery, when, terms)
}

function endReturn(
  delivery: Delivery,
  when: ActionTime,
  { returnShare }: Pick<EndingTerms, 'returnShare'>,
): Delivery {
  if (delivery.status !== 'Picked Up' || !delivery.returning) throw new Refusal('wrong-status')
  const driverShare = returnShareOf(delivery.offer, returnShare)
  return next(delivery, 'Cancelled', when, { outcome: 'returned', driverShare })
}
