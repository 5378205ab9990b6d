/** How long, in days, what a person has caused is kept (R218). The server deletes by it, and the privacy text says it. */
export const retention = {
  /** A login that is not used, and any login. */
  unusedSession: 90,
  session: 180,
  /** A guest's access to a delivery that has ended. */
  guestToken: 30,
  /** A response that is repeated under its request key; a refusal. `IDEMPOTENCY_DAYS` replaces the first. */
  response: 90,
  refusal: 7,
  /** Attempts that are limited, and expired SMS codes. */
  attempt: 1,
  /** What a phone last reported by its support code. */
  device: 30,
  /** A message that was not sent. */
  notification: 400,
  /** An uploaded photo that nothing names, and a driver's ID photo once the application was decided on. */
  unusedPhoto: 30,
  idPhoto: 90,
  /** A line of the office's dashboard. */
  activity: 90,
} as const

const day = 24 * 60 * 60 * 1000

/** The same in milliseconds. */
export const lifetimeOf = (what: keyof typeof retention): number => retention[what] * day
