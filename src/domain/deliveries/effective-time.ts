import type { ActionTime, Delivery } from './delivery.ts'

/** A step that was stored: of the history, or an incident. Steps of earlier versions have no effective time. */
type Step = ActionTime & { effectiveAt?: string }

/** When the delivery's newest step counts as having happened, in milliseconds since 1970 (R133). */
export function lastEffectiveTime({ createdAt, history, incidents }: Delivery): number {
  const created = Date.parse(createdAt)
  // A correction of the office makes no step of a driver later.
  const step = history?.findLast(({ corrected }) => !corrected)
  const steps = [step, incidents?.at(-1)].filter((each) => each !== undefined)
  return Math.max(created, ...steps.map((each) => effectiveTime(each, created)))
}

/** When a stored step counts as having happened, in milliseconds since 1970 (R133). */
export const effectiveTime = (step: Step, created = 0): number =>
  step.effectiveAt === undefined ? clamped(step, created) : Date.parse(step.effectiveAt)

/**
 * By how much a step counts later than its person said, milliseconds: their clock is behind the server's by at least
 * that. Negative where it is ahead.
 */
export const correctionOf = (step: Step): number =>
  effectiveTime(step) - Date.parse(step.occurredAt ?? step.at)

/**
 * The times of a new step of this delivery. What its person claims counts between the step before (the creation
 * for the first) and the receipt: a claim alone makes nobody's wait shorter than the time that has passed (R133).
 */
export function timesOf<T extends ActionTime>(delivery: Delivery, when: T): T & Step {
  if (when.occurredAt === undefined) return when
  const effective = clamped(when, lastEffectiveTime(delivery))
  return { ...when, effectiveAt: new Date(effective).toISOString() }
}

function clamped({ at, occurredAt = at }: ActionTime, earliest: number): number {
  return Math.max(earliest, Math.min(Date.parse(occurredAt), Date.parse(at)))
}
