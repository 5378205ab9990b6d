import { licenceReminder } from '../users/licence.ts'

const hour = 60 * 60_000

/**
 * What waits for the office, the most urgent kind first, and from what age on it is late, in milliseconds (R187).
 * `since` is when a payment failed, a request was made, a job was accepted or picked up, a return began, a dispute or an
 * application was made, and for a licence the start of its last day.
 */
export const workKinds = {
  /** Payouts and refunds that failed. */
  payments: 0,
  /** Requests that no driver has taken, listed from then on. */
  offers: hour / 2,
  /** Jobs that were accepted or picked up, listed from then on. */
  jobs: 3 * hour,
  /** Returns that the sender has not confirmed. After 48 hours they are disputes (R106). */
  returns: 24 * hour,
  disputes: 24 * hour,
  /** Applicants read that a review takes 24 to 48 hours. */
  applications: 48 * hour,
  /** Licences of approved drivers that end within 30 days, or have ended. */
  licences: 24 * hour,
}
export type WorkKind = keyof typeof workKinds

/** Rows of a kind that are sent. */
export const shownWork = 5

/** ISO 8601: what is listed only from an age on has to be from before this time. */
export const workBefore = (kind: 'offers' | 'jobs', at: string): string =>
  new Date(Date.parse(at) - workKinds[kind]).toISOString()

/** The last day, `2026-11-21`, of the licences that are listed. */
export const lastLicenceDay = (at: string): string =>
  new Date(Date.parse(at) + licenceReminder * 24 * hour).toISOString().slice(0, 10)

/** Whether something of this kind has waited too long. An unknown kind, of a newer server, is never late. */
export const isLate = (kind: string, since: string, now: number): boolean =>
  kind in workKinds && now - Date.parse(since) >= workKinds[kind as WorkKind]
