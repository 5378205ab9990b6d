/** A text that both databases keep as it is: no NUL, and no half of a surrogate pair. */
export const isStorableText = (text: string): boolean =>
  !text.includes('\0') && !/\p{Surrogate}/u.test(text)

const timestamp =
  /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d{1,6})?(?:Z|[+-](\d\d)(?::(\d\d))?)$/

/** A moment that is on the calendar, as PostgreSQL writes it (`2026-11-22 10:00:00+00`) or in ISO 8601. */
export function isTimestamp(text: string): boolean {
  const parts = timestamp.exec(text)?.slice(1)
  if (!parts) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ...offset] = parts.map(
    (part) => Number(part ?? 0),
  )
  const [offsetHours = 0, offsetMinutes = 0] = offset
  const date = new Date(Date.UTC(year, month - 1, day))
  // A day that a month does not have becomes one of the next month. Years below 100 would be of 1900.
  const isDate = year >= 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  const isTime = hour < 24 && minute < 60 && second < 60
  return isDate && isTime && offsetHours < 15 && offsetMinutes < 60
}
