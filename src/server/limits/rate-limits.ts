import { Refusal } from '#domain/errors.ts'
import type { Limit } from '../ports/limits.ts'
import type { Stores } from '../ports/repo.ts'
import type { Secrets } from '../ports/secrets.ts'

/** Answered with 429 and `Retry-After`. */
export class TooManyAttempts extends Refusal {
  /** Seconds. */
  readonly retryAfter: number
  /** The name of the limit, for metrics. */
  readonly limit: string
  /** How far beyond the limit of its address: a challenge may be solved instead of waiting (R143). */
  readonly heat: number | undefined
  /** That challenge, once there is one (`challenges.ts`). */
  challenge?: object
  constructor(retryAfter: number, limit: string, heat?: number) {
    super('too-many')
    this.retryAfter = retryAfter
    this.limit = limit
    this.heat = heat
  }
}

/** The key of a subject's attempts: a keyed hash in place of the e-mail, number or address. */
export const attemptKey = (secrets: Secrets, { name }: Pick<Limit, 'name'>, subject: string) =>
  `${name}:${secrets.keyed('limit', name, subject)}`

/** Counts one attempt in the transaction of its effect. Throws `TooManyAttempts`. */
export async function countAttempt(
  stores: Stores,
  secrets: Secrets,
  limit: Limit,
  subject: string,
  at: string,
): Promise<void> {
  await assertAttemptsLeft(stores, secrets, limit, subject, at)
  const key = attemptKey(secrets, limit, subject)
  await stores.attempts.add({ id: secrets.id(), key, at })
}

/** Throws `TooManyAttempts` when no attempt is left. */
export async function assertAttemptsLeft(...of: Parameters<typeof findTooMany>): Promise<void> {
  const tooMany = await findTooMany(...of)
  if (tooMany) throw tooMany
}

/** The refusal, when no attempt is left. It is returned, not thrown, for a caller that reads something else at the same time. */
export async function findTooMany(
  stores: Stores,
  secrets: Secrets,
  limit: Limit,
  subject: string,
  at: string,
): Promise<TooManyAttempts | undefined> {
  const now = Date.parse(at)
  await stores.attempts.lock(attemptKey(secrets, limit, subject))
  const freed = (await attemptsSince(stores, secrets, limit, subject, at)).at(-limit.tries)
  if (freed === undefined) return undefined
  const seconds = Math.ceil((freed + limit.within - now) / 1000)
  return new TooManyAttempts(Math.max(1, seconds), limit.name)
}

/** When the attempts that still count were made, oldest first, in milliseconds. */
export async function attemptsSince(
  stores: Stores,
  secrets: Secrets,
  limit: Limit,
  subject: string,
  at: string,
): Promise<number[]> {
  const now = Date.parse(at)
  const since = new Date(now - limit.within).toISOString()
  return timesUpTo(now, await stores.attempts.since(attemptKey(secrets, limit, subject), since))
}

/**
 * Counts one more in a window that begins with the first: one row, however many there are. `undefined`, and nothing is
 * counted, when the request `unless` has a stored response. `retryAfter`: seconds until the window is over.
 */
export async function countInWindow(
  stores: Stores,
  secrets: Secrets,
  limit: Limit,
  subject: string,
  at: string,
  unless?: string,
): Promise<{ count: number; retryAfter: number } | undefined> {
  const now = Date.parse(at)
  const iso = (time: number) => new Date(time).toISOString()
  const key = attemptKey(secrets, limit, subject)
  const window = { since: iso(now - limit.within), until: iso(now + clockSkew) }
  const counted = await stores.attempts.countUp({ key, at, ...window, unless })
  if (!counted) return undefined
  const left = Date.parse(counted.began) + limit.within - now
  return { count: counted.count, retryAfter: Math.max(1, Math.ceil(left / 1000)) }
}

/** As `countInWindow`; returns the count. Throws `TooManyAttempts` beyond the limit. */
export async function countOrRefuse(
  ...of: Parameters<typeof countInWindow>
): Promise<number | undefined> {
  const [, , { name, tries }] = of
  const counted = await countInWindow(...of)
  if (counted && counted.count > tries) throw new TooManyAttempts(counted.retryAfter, name)
  return counted?.count
}

/** Milliseconds by which the clocks of two server processes may differ. */
const clockSkew = 60_000

/**
 * Times of attempts in milliseconds, without those in the future: a clock that ran ahead and was set back
 * must not lock people out until its old time is reached.
 */
export const timesUpTo = (now: number, times: string[]): number[] =>
  times.map(Date.parse).filter((time) => time <= now + clockSkew)
