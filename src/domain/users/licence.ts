import * as z from 'zod/mini'
import { Refusal } from '../errors.ts'

/** Days before its end from which a driver is reminded of their licence (R114). */
export const licenceReminder = 30

/** A courier licence. `expires`: its last day, `2026-11-21`, of Ghana's calendar (UTC). */
export const Licence = z.object({ number: z.string(), expires: z.string() })
export type Licence = z.infer<typeof Licence>

/** Whole days from `at` (ISO 8601) to the licence's last day; negative once it has expired. */
export const daysLeft = ({ expires }: Licence, at: string): number =>
  Math.round((Date.parse(expires) - Date.parse(at.slice(0, 10))) / (24 * 60 * 60 * 1000))

/** Whether it no longer counts at that time. Its last day counts. */
export const hasExpired = (licence: Licence | undefined, at: string): boolean =>
  licence !== undefined && daysLeft(licence, at) < 0

/** The licence that counts, and a changed one that no admin has looked at yet (R139). */
export type Licences = { licence?: Licence; licencePending?: Licence }

/**
 * A driver's licences after they entered this one, or removed theirs. An approved driver's counts once an admin has
 * looked at it; of another's the admin decides with the application. One that is over counts at once, and is not
 * removed: it keeps its driver from accepting. Refusal: licence-expired (R139).
 */
export function licencesAfter(
  { licence, isApproved }: { licence?: Licence; isApproved: boolean },
  entered: Licence | undefined,
  at: string,
): Licences {
  if (isApproved && entered === undefined && hasExpired(licence, at))
    throw new Refusal('licence-expired')
  if (!isApproved || entered === undefined || hasExpired(entered, at)) return { licence: entered }
  const isSame = licence?.number === entered.number && licence.expires === entered.expires
  return { licence, licencePending: isSame ? undefined : entered }
}

/** Whether this is a day of the calendar, `2026-11-21`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)
