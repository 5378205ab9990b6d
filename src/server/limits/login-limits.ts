import type { Limit } from '../ports/limits.ts'
import type { Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import { keyedQueue } from './keyed-queue.ts'
import { attemptKey, TooManyAttempts, timesUpTo } from './rate-limits.ts'

const hour = 60 * 60 * 1000
/** Milliseconds failures are kept, and the longest pause they can cause (R61). */
const failuresKept = 24 * hour
const longestPause = 4 * hour
/** Milliseconds after which an attempt that did not end (its process was killed) is no longer under way. */
const abandonedAfter = 60_000
/** Milliseconds between two checks for a free place, and the most checks. */
const waiting = { each: 50, most: 200 }

/** A password attempt that has begun. One of the two functions must end it. */
type LoginAttempt = {
  /** The password was right, or was not compared: nothing is counted. */
  release(stores: Stores): Promise<void>
  /** The password was wrong. */
  fail(stores: Stores): Promise<void>
}

/**
 * Limits failed logins for one account from one address, and for one address (R61). An attempt under way
 * takes the place of a failure until it ends: many guesses at once cannot pass together, and a caller who
 * finds every place taken by attempts under way waits instead of being refused. Attempts under way are
 * rows in the database, so that several server processes see each other's.
 */
export function loginLimits({ repo, secrets, clock, options }: Ports) {
  // One attempt of an address at a time looks for a place, so that a flood holds one database connection.
  const queued = keyedQueue(200, 'login-queue')

  /** Adds the attempt as under way; false when others under way take every place. Throws `TooManyAttempts`. */
  async function begin(stores: Stores, subjects: Subject[], id: string): Promise<boolean> {
    const now = clock()
    let hasPlace = true
    for (const { limit, failed, underWay } of subjects) {
      await stores.attempts.lock(failed)
      // Read in this order, an attempt that ends between the two reads is counted twice rather than missed.
      const open = await stores.attempts.count(underWay, iso(now - abandonedAfter))
      const failures = timesUpTo(now, await stores.attempts.since(failed, iso(now - failuresKept)))
      const { left, retryAfter } = triesLeft(failures, limit, now)
      if (left === 0) throw new TooManyAttempts(retryAfter, limit.name)
      if (open >= left) hasPlace = false
    }
    if (!hasPlace) return false
    for (const [n, { underWay }] of subjects.entries())
      await stores.attempts.add({ id: idOf(id, n), key: underWay, at: iso(now) })
    return true
  }

  async function waitForPlace(subjects: Subject[], id: string) {
    for (let looks = 0; looks < waiting.most; looks++) {
      if (await repo.transaction((stores) => begin(stores, subjects, id))) return
      await new Promise((resolve) => setTimeout(resolve, waiting.each))
    }
    throw new TooManyAttempts(1, 'login-queue')
  }

  /**
   * Begins an attempt. `passwordHash` is part of the counted key: a new password begins without failures.
   * Throws `TooManyAttempts`.
   */
  return async (account: string, address: string, passwordHash: string): Promise<LoginAttempt> => {
    const subjects = [
      subjectOf(options.limits.loginFrom, address),
      subjectOf(options.limits.login, JSON.stringify([account, address, passwordHash])),
    ]
    const id = secrets.id()
    await queued(address, () => waitForPlace(subjects, id))
    const release = async ({ attempts }: Stores) => {
      for (const n of subjects.keys()) await attempts.removeById(idOf(id, n))
    }
    return {
      release,
      async fail(stores) {
        await release(stores)
        for (const { failed } of subjects)
          await stores.attempts.add({ id: secrets.id(), key: failed, at: iso(clock()) })
      },
    }
  }

  function subjectOf(limit: Limit, subject: string): Subject {
    const underWay = attemptKey(secrets, { name: `${limit.name}-under-way` }, subject)
    return { limit, failed: attemptKey(secrets, limit, subject), underWay }
  }
}

type Subject = { limit: Limit; failed: string; underWay: string }

/**
 * How many tries are left after these failures (times in milliseconds, oldest first), and the seconds
 * until there is one. Each further round of failures within a day doubles the period.
 */
function triesLeft(
  failures: number[],
  { tries, within }: Limit,
  now: number,
): { left: number; retryAfter: number } {
  const level = Math.max(1, Math.floor(failures.length / tries))
  const window = Math.max(within, Math.min(within * 2 ** (level - 1), longestPause))
  const left = Math.max(0, tries - failures.filter((at) => at > now - window).length)
  const freed = failures.at(-tries) ?? now
  return { left, retryAfter: Math.max(1, Math.ceil((freed + window - now) / 1000)) }
}

const iso = (time: number) => new Date(time).toISOString()

/** The IDs of one attempt's rows: the same UUID with its last digit changed. */
const idOf = (id: string, n: number) => `${id.slice(0, -1)}${n}`
