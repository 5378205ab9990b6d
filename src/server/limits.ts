import { Refusal } from '#domain/errors.ts'
import type { Stores } from './repo.ts'
import type { Secrets } from './secrets.ts'

const minutes = 60_000

/** So many tries within so many milliseconds (interfaces: who sees and does what). */
export const limits = {
  deliveryCode: { name: 'code', tries: 5, within: 15 * minutes },
  loginOfAccount: { name: 'login', tries: 10, within: 15 * minutes },
  loginFromAddress: { name: 'login-from', tries: 40, within: 15 * minutes },
  texts: { name: 'sms', tries: 3, within: 15 * minutes },
  uploads: { name: 'upload', tries: 300, within: 15 * minutes },
} as const
export type Limit = (typeof limits)[keyof typeof limits]

/** Wrong tries that end a code sent by SMS, and how long it lives, in milliseconds. */
export const smsCode = { tries: 5, lives: 10 * minutes, digits: 6 }

export class TooMany extends Refusal {
  /** Seconds. */
  readonly retryAfter: number
  constructor(retryAfter: number) {
    super('too-many')
    this.retryAfter = retryAfter
  }
}

/** Kept in place of the e-mail, number or address itself. */
export const subjectKey = (secrets: Secrets, { name }: Limit, subject: string) =>
  `${name}:${secrets.keyed('limit', name, subject)}`

/**
 * Counts one try, before it is known how it ends, so that many at once cannot slip through
 * together. Gives its id, by which one that ended well is forgiven. Throws `TooMany`.
 */
export async function spend(
  stores: Stores,
  secrets: Secrets,
  limit: Limit,
  subject: string,
  at: string,
): Promise<string> {
  await mustHaveLeft(stores, secrets, limit, subject, at)
  const id = secrets.id()
  await stores.attempts.add({ id, key: subjectKey(secrets, limit, subject), at })
  return id
}

/** Throws `TooMany` when no try is left. */
export async function mustHaveLeft(
  stores: Stores,
  secrets: Secrets,
  limit: Limit,
  subject: string,
  at: string,
): Promise<void> {
  const key = subjectKey(secrets, limit, subject)
  const now = Date.parse(at)
  await stores.attempts.lock(key)
  const tries = await stores.attempts.since(key, new Date(now - limit.within).toISOString())
  const freed = tries.at(-limit.tries)
  if (freed === undefined) return
  throw new TooMany(Math.max(1, Math.ceil((Date.parse(freed) + limit.within - now) / 1000)))
}
