const minutes = 60_000

const hour = 60 * minutes
const day = 24 * hour

/** Limits: so many tries within so many milliseconds (R60 to R65, R140). `LIMITS` changes the tries by these names. */
export const defaultLimits = {
  /** Wrong delivery codes for one delivery. */
  deliveryCode: { name: 'code', tries: 5, within: 15 * minutes },
  /** Failed logins for one account from one address. */
  login: { name: 'login', tries: 10, within: 15 * minutes },
  /** Failed logins from one address. */
  loginFrom: { name: 'login-from', tries: 40, within: 15 * minutes },
  /** Wrong codes of the second step of one account, from every address (R213). */
  secondFactor: { name: 'second-factor', tries: 20, within: hour },
  /** SMS to one phone. */
  sms: { name: 'sms', tries: 3, within: 15 * minutes },
  /** SMS to all numbers with the same first six of the ten digits (R147). */
  smsPrefix: { name: 'sms-prefix', tries: 50, within: day },
  /** The four below: from one address. Beyond them each call needs a solved challenge (R143). */
  signups: { name: 'signup', tries: 100, within: 15 * minutes },
  guestRequests: { name: 'guest-request', tries: 300, within: 15 * minutes },
  resetRequests: { name: 'reset-request', tries: 100, within: 15 * minutes },
  uploads: { name: 'upload', tries: 600, within: 15 * minutes },
  /** From one address, ten for each guest request; beyond them nothing is solved, and the guide comes later. */
  priceGuides: { name: 'price-guide', tries: 3_000, within: 15 * minutes },
  /** Disputes about one delivery. */
  disputes: { name: 'dispute', tries: 5, within: day },
  /** Changes that one account asks for (R140). */
  changes: { name: 'change', tries: 300, within: 15 * minutes },
  /** Requests of one account, and jobs that one driver gives back. */
  creates: { name: 'create', tries: 30, within: hour },
  giveBacks: { name: 'give-back', tries: 5, within: day },
} as const
export type LimitName = keyof typeof defaultLimits
export type Limit = { name: string; tries: number; within: number }
export type Limits = Record<LimitName, Limit>

/** The limits with some numbers of tries in place of their defaults. */
export function limitsWith(tries: Partial<Record<LimitName, number>>): Limits {
  const named = Object.entries(defaultLimits) as [LimitName, Limit][]
  return Object.fromEntries(
    named.map(([name, limit]) => [name, { ...limit, tries: tries[name] ?? limit.tries }]),
  ) as Limits
}

/** For a server whose callers all share one address: the demo in a page, and tests. */
export const looseLimits = limitsWith(
  Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, 1_000_000])),
)

/**
 * An SMS code (R62): the wrong tries from one address that end it for that address, the wrong tries from
 * all addresses that end it for everybody, its lifetime in milliseconds, and its length.
 */
export const smsCode = { tries: 5, triesOfAll: 25, lives: 10 * minutes, digits: 6 }

/**
 * The work of a challenge (R143): a key is derived again and again until it begins with `prefix` (hex digits). `cost`:
 * iterations of PBKDF2 for each key.
 */
export type Difficulty = { cost: number; prefix: string }

/** 256 keys on average, which takes a cheap phone about a second. */
export const usualDifficulty: Difficulty = { cost: 2_000, prefix: '00' }
