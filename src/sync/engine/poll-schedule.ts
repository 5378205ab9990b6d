import type { Clock } from '../platform/context.ts'
import { pauseAfter } from './failure-pause.ts'

export type PollSchedule = ReturnType<typeof createPollSchedule>

type Plan = {
  /** Somebody wants it at this time, whatever its pace. */
  wantedAt: number
  /** The end of its own pause. */
  notBefore: number
  /** A time the server itself named: not even a new network makes it sooner. */
  heldUntil: number
  /** Failures in a row, of every kind. */
  failures: number
  /** Times in a row that another list's response shortened the pause of this one, to no avail. */
  wakes: number
  /** Another list's response does not shorten the pause before. */
  wakeableAt: number
  askedAt: number
  every: number
  /** Responses in a row that brought nothing new. */
  unchangedCount: number
}

/** 12 unchanged responses slow polling by one step, at most six (S24). */
const unchangedPerStep = 12
const mostSteps = 6
/** The shortest pause that another list's response leaves a failing list, as a number of failures. */
const firstWake = 4

const newPlan = (): Plan => ({
  wantedAt: 0,
  notBefore: 0,
  heldUntil: 0,
  failures: 0,
  wakes: 0,
  wakeableAt: 0,
  askedAt: 0,
  every: 0,
  unchangedCount: 0,
})

/**
 * When each list is asked for again; lists by their keys, times in milliseconds of the clock that is
 * never set (S24, S46). Each list that fails has a growing pause of its own (S45).
 * `saveData`: the person asked their phone to save data.
 */
export function createPollSchedule(
  clock: Pick<Clock, 'monotonic'>,
  random: () => number,
  saveData: () => boolean,
) {
  const plans = new Map<string, Plan>()
  /** Lists whose changes are pushed, as long as they are. */
  let isPushed: (list: string) => boolean = () => false

  const planOf = (list: string): Plan => {
    const known = plans.get(list)
    if (known) return known
    const plan = newPlan()
    plans.set(list, plan)
    return plan
  }

  /** When it is due; never, while its changes are pushed and it does not fail. */
  function due(list: string): number {
    const plan = planOf(list)
    const { wantedAt, notBefore, heldUntil, failures, askedAt, every, unchangedCount } = plan
    if (failures > 0) return Math.max(heldUntil, notBefore)
    const steps = Math.min(mostSteps, 1 + Math.floor(unchangedCount / unchangedPerStep))
    const pace = steps * (saveData() ? 3 : 1)
    const next = isPushed(list) ? Number.POSITIVE_INFINITY : askedAt + every * pace
    return Math.min(wantedAt, next)
  }

  /** As soon as it may be, not before `from`; the pause of a failing list stands. */
  function pollNow(list: string, from = 0): void {
    const plan = planOf(list)
    plan.wantedAt = Math.min(plan.wantedAt, from)
    plan.unchangedCount = 0
  }

  /** At once, for a person or a new network: pauses begin anew. Only a time the server named stands. */
  function retryNow(list: string): void {
    pollNow(list)
    const plan = planOf(list)
    Object.assign(plan, { notBefore: 0, failures: Math.min(plan.failures, 1), wakes: 0 })
  }

  return {
    due,
    pollNow,
    retryNow,
    retryAllNow: () => {
      for (const list of plans.keys()) retryNow(list)
    },
    /** Somebody responds again after silence: failing lists need not wait, each at most once in a growing pause. */
    wakeFailing: () => {
      const now = clock.monotonic()
      for (const plan of plans.values()) {
        if (plan.failures === 0 || now < plan.wakeableAt) continue
        plan.notBefore = 0
        plan.wakeableAt = now + pauseAfter(firstWake + plan.wakes++, random)
      }
    },
    /** The person did something: lists are asked for at their usual pace. */
    resetPace: () => {
      for (const plan of plans.values()) plan.unchangedCount = 0
    },
    /** When it was last asked for. */
    askedAt: (list: string): number => planOf(list).askedAt,
    isFailing: (list: string): boolean => planOf(list).failures > 0,
    /** It is asked for now: what is wanted from here on is wanted anew. */
    asked: (list: string): void => {
      planOf(list).wantedAt = Number.POSITIVE_INFINITY
    },
    /** Returns whether the last time it was asked for, as far as is known, it failed. */
    responded: (list: string, every: number, changed: boolean): boolean => {
      const plan = planOf(list)
      const wasFailing = plan.failures > 0 || plan.askedAt === 0
      Object.assign(plan, {
        every,
        askedAt: clock.monotonic(),
        notBefore: 0,
        heldUntil: 0,
        failures: 0,
        wakes: 0,
        wakeableAt: 0,
      })
      plan.unchangedCount = changed ? 0 : plan.unchangedCount + 1
      return wasFailing
    },
    /**
     * It was not had: cut off, refused, unreadable, or patience was asked for. Only a time that our server
     * named stands until it is over (S13). Returns whether it is the first failure in a row.
     */
    failed: (
      list: string,
      { retryAfter = 0, responded }: { retryAfter?: number; responded?: boolean },
    ): boolean => {
      const plan = planOf(list)
      plan.failures++
      const now = clock.monotonic()
      const pause = pauseAfter(plan.failures, random)
      plan.notBefore = now + (responded ? pause : Math.max(pause, retryAfter))
      plan.heldUntil = now + (responded ? retryAfter : 0)
      return plan.failures === 1
    },
    /** Lists that an open event stream covers are not polled (S21). */
    suppressWhile: (pushed: typeof isPushed): void => {
      isPushed = pushed
    },
  }
}
