/** `10:02`, as the person's own clock shows it. */
export const clock = (when: string | number): string => format(when, { timeStyle: 'short' })

/** `21 Nov 2026, 10:02`: short enough for a line. */
export const shortDate = (when: string | number): string =>
  format(when, { dateStyle: 'medium', timeStyle: 'short' })

/** Long date with time, as the admin's details want it (spec §2). */
export const longDate = (when: string | number | undefined): string =>
  when === undefined ? 'N/A' : format(when, { dateStyle: 'long', timeStyle: 'short' })

/** The clock alone for today, the date with it for any other day. */
export function atTime(when: string | number, now = Date.now()): string {
  const sameDay = new Date(when).toDateString() === new Date(now).toDateString()
  return sameDay ? clock(when) : shortDate(when)
}

/** `just now`, `4 minutes ago`, `3 hours ago`, then the date. */
export function ago(when: number, now = Date.now()): string {
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
