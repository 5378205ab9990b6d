import { backoff } from '#store/outbox/backoff.ts'
import type { Clock } from '../platform/context.ts'

export type PollSchedule = ReturnType<typeof createPollSchedule>

type Plan = {
  /** Somebody wants it at this time, whatever its pace. */
  wantedAt: number
  /** The server has no answer before. */
  notBefore: number
  /** The server itself named `notBefore`: not even a new network makes it sooner. */
  retryAfterSet: boolean
  /** Times in a row that the server asked for patience. */
  throttledCount: number
  askedAt: number
  every: number
  /** Answers in a row that brought nothing new. */
  unchangedCount: number
}

/** 12 unchanged answers slow polling by one step, at most six (S24). */
const unchangedPerStep = 12
const mostSteps = 6

/**
 * When each list is asked for again; lists by their keys, times in milliseconds since 1970 (S24).
 * `saveData`: the person asked their phone to save data.
 */
export function createPollSchedule(clock: Clock, random: () => number, saveData: () => boolean) {
  const plans = new Map<string, Plan>()
  /** Lists whose changes are pushed, as long as they are. */
  let isPushed: (list: string) => boolean = () => false

  const planOf = (list: string): Plan => {
    const known = plans.get(list)
    if (known) return known
    const plan = {
      wantedAt: 0,
      notBefore: 0,
      retryAfterSet: false,
      throttledCount: 0,
      askedAt: 0,
      every: 0,
      unchangedCount: 0,
    }
    plans.set(list, plan)
    return plan
  }

  /** When it is due; never, while its changes are pushed. */
  function due(list: string): number {
    const { wantedAt, notBefore, askedAt, every, unchangedCount } = planOf(list)
    const steps = Math.min(mostSteps, 1 + Math.floor(unchangedCount / unchangedPerStep))
    const pace = steps * (saveData() ? 3 : 1)
    const next = isPushed(list) ? Number.POSITIVE_INFINITY : askedAt + every * pace
    return Math.max(notBefore, Math.min(wantedAt, next))
  }

  /** As soon as the server allows; `from`: not before that time. */
  function pollNow(list: string, from = 0): void {
    const plan = planOf(list)
    plan.wantedAt = Math.min(plan.wantedAt, from)
    plan.unchangedCount = 0
    if (!plan.retryAfterSet) plan.notBefore = 0
  }

  return {
    due,
    pollNow,
    pollAllNow: () => {
      for (const list of plans.keys()) pollNow(list)
    },
    /** The person did something: lists are asked for at their usual pace. */
    resetPace: () => {
      for (const plan of plans.values()) plan.unchangedCount = 0
    },
    /** When it was last asked for. */
    askedAt: (list: string): number => planOf(list).askedAt,
    /** Returns whether the last time it was asked for, as far as is known, the server had no answer. */
    answered: (list: string, every: number, changed: boolean): boolean => {
      const plan = planOf(list)
      const wasFailing = plan.throttledCount > 0 || plan.askedAt === 0
      Object.assign(plan, {
        every,
        askedAt: clock.now(),
        wantedAt: Number.POSITIVE_INFINITY,
        notBefore: 0,
        retryAfterSet: false,
        throttledCount: 0,
      })
      plan.unchangedCount = changed ? 0 : plan.unchangedCount + 1
      return wasFailing
    },
    /** The server asked for patience; `retryAfter` in milliseconds, where it named one (S13). */
    backOff: (list: string, retryAfter: number | undefined): void => {
      const plan = planOf(list)
      plan.throttledCount++
      const delay = retryAfter ?? Math.max(1_000, backoff(plan.throttledCount, random))
      plan.notBefore = clock.now() + delay
      plan.retryAfterSet = retryAfter !== undefined
    },
    /** Lists that an open event stream covers are not polled (S21). */
    suppressWhile: (pushed: typeof isPushed): void => {
      isPushed = pushed
    },
  }
}
