/** `10:02`, in the device's time zone. */
export const clockTime = (when: string | number): string => format(when, { timeStyle: 'short' })

/** `21 Nov 2026, 10:02`: short enough for a line. */
export const shortDate = (when: string | number): string =>
  format(when, { dateStyle: 'medium', timeStyle: 'short' })

/** `10:02:07` for today, with the date for any other day: precise enough to find a line in a log. */
export const exactTime = (when: number, now = Date.now()): string =>
  format(
    when,
    isSameDay(when, now) ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'medium' },
  )

/** A long date with the time, for the admin's details; `N/A` when there is none. */
export const longDate = (when: string | number | undefined): string =>
  when === undefined ? 'N/A' : format(when, { dateStyle: 'long', timeStyle: 'short' })

/** The clock alone for today, the date with it for any other day. */
export function timeOrDate(when: string | number, now = Date.now()): string {
  return isSameDay(when, now) ? clockTime(when) : shortDate(when)
}

const isSameDay = (one: string | number, other: number) =>
  new Date(one).toDateString() === new Date(other).toDateString()

/** `just now`, `4 minutes ago`, `3 hours ago`, then the date. */
export function timeAgo(when: number, now = Date.now()): string {
  const minutes = Math.floor((now - when) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} minute${minutes === 1 ? '' : 's'} ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} hour${hours === 1 ? '' : 's'} ago`
  return shortDate(when)
}

function format(when: string | number, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(when)
  if (Number.isNaN(date.getTime())) return 'N/A'
  return new Intl.DateTimeFormat('en-GH', { hourCycle: 'h23', ...options }).format(date)
}
