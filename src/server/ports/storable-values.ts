/** Whether both databases store the text unchanged: it has no NUL and no lone surrogate. */
export const isStorableText = (text: string): boolean =>
  !text.includes('\0') && !/\p{Surrogate}/u.test(text)

const timestamp =
  /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d{1,6})?(?:Z|[+-](\d\d)(?::(\d\d))?)$/

/** Whether this is a valid time, as PostgreSQL writes it (`2026-11-22 10:00:00+00`) or in ISO 8601. */
export function isTimestamp(text: string): boolean {
  const parts = timestamp.exec(text)?.slice(1)
  if (!parts) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ...offset] = parts.map(
    (part) => Number(part ?? 0),
  )
  const [offsetHours = 0, offsetMinutes = 0] = offset
  const date = new Date(Date.UTC(year, month - 1, day))
  // `Date.UTC` turns a 31st of April into the 1st of May, and years below 100 into 1900 and later.
  const isDate = year >= 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  const isTime = hour < 24 && minute < 60 && second < 60
  return isDate && isTime && offsetHours < 15 && offsetMinutes < 60
}
