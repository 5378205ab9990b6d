import type { Clock } from '../platform/context.ts'
import { backoff } from '../push/backoff.ts'

export type Agenda = ReturnType<typeof createAgenda>

type Plan = {
  /** Somebody wants it at this time, whatever its pace. */
  wish: number
  /** The server has no answer before. */
  notBefore: number
  /** The server itself named `notBefore`: not even a new network makes it sooner. */
  held: boolean
  /** Times in a row that it asked for patience. */
  refused: number
  asked: number
  every: number
  /** Answers in a row that brought nothing new. */
  calm: number
}

/** So many answers without news make a list's pace one step slower, up to so many times. */
const calmStep = 12
const slowest = 6

/** When each list is asked for again. `isThrifty`: the person asked their phone to save data. */
export function createAgenda(clock: Clock, random: () => number, isThrifty: () => boolean) {
  const plans = new Map<string, Plan>()
  /** Lists whose changes are told without asking, as long as they are. */
  let isTold: (name: string) => boolean = () => false

  const planOf = (name: string): Plan => {
    const known = plans.get(name)
    if (known) return known
    const plan = { wish: 0, notBefore: 0, held: false, refused: 0, asked: 0, every: 0, calm: 0 }
    plans.set(name, plan)
    return plan
  }

  /** Milliseconds since 1970; never, while its changes are told. */
  function due(name: string): number {
    const { wish, notBefore, asked, every, calm } = planOf(name)
    const pace = Math.min(slowest, 1 + Math.floor(calm / calmStep)) * (isThrifty() ? 3 : 1)
    const next = isTold(name) ? Number.POSITIVE_INFINITY : asked + every * pace
    return Math.max(notBefore, Math.min(wish, next))
  }

  /** As soon as the server allows; `from`: not before that time. */
  function hurry(name: string, from = 0): void {
    const plan = planOf(name)
    plan.wish = Math.min(plan.wish, from)
    plan.calm = 0
    if (!plan.held) plan.notBefore = 0
  }

  return {
    due,
    hurry,
    hurryAll: () => {
      for (const name of plans.keys()) hurry(name)
    },
    /** The person did something: what follows is looked for at the usual pace. */
    stir: () => {
      for (const plan of plans.values()) plan.calm = 0
    },
    /** When it was last asked for, milliseconds since 1970. */
    asked: (name: string): number => planOf(name).asked,
    /** Returns whether the last time it was asked for, as far as is known, the server had no answer. */
    answered: (name: string, every: number, changed: boolean): boolean => {
      const plan = planOf(name)
      const again = plan.refused > 0 || plan.asked === 0
      Object.assign(plan, { every, asked: clock.now(), wish: Number.POSITIVE_INFINITY })
      Object.assign(plan, { notBefore: 0, held: false, refused: 0 })
      plan.calm = changed ? 0 : plan.calm + 1
      return again
    },
    /** The server asked for patience; `retryAfter` in milliseconds, where it said for how long. */
    putOff: (name: string, retryAfter: number | undefined): void => {
      const plan = planOf(name)
      plan.refused++
      const delay = retryAfter ?? Math.max(1_000, backoff(plan.refused, random))
      Object.assign(plan, { notBefore: clock.now() + delay, held: retryAfter !== undefined })
    },
    /** Which lists a stream tells of while it is open. */
    tell: (told: typeof isTold): void => {
      isTold = told
    },
  }
}
