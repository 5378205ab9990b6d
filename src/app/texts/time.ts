/** `10:02`, in the device's time zone. */
export const clockTime = (when: string | number): string => format(when, { timeStyle: 'short' })

/** `10:02:07` for today, with the date for any other day: precise enough to find a line in a log. */
export const exactTime = (when: number, now = Date.now()): string =>
  format(
    when,
    isSameDay(when, now) ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'medium' },
  )

/** A long date with the time, for the admin's details; `N/A` when there is none. */
export const longDate = (when: string | number | undefined): string =>
  when === undefined ? 'N/A' : format(when, { dateStyle: 'long', timeStyle: 'short' })

/** `14:05` today, `21 Nov` before, `21 Nov 2025` of another year: the time of something that stands still. */
export function timeOrDate(when: string | number, now = Date.now()): string {
  return isSameDay(when, now) ? clockTime(when) : shortDay(when, now)
}

/** Milliseconds by which what a person says may differ from the server's time before both are shown. */
const shownDifference = 5 * 60_000

/** `said 14:02`: when the person says they acted, where that is not when the server heard of it (R133). */
export function claimText({ at, occurredAt }: { at: string; occurredAt?: string }) {
  if (occurredAt === undefined) return undefined
  const received = Date.parse(at)
  const differs = Math.abs(received - Date.parse(occurredAt)) > shownDifference
  return differs ? `said ${timeOrDate(occurredAt, received)}` : undefined
}

/** `just now`, `12 min ago` up to an hour, `14:05` today, `21 Nov` before: the age of something that counts on. */
export function timeAgo(when: string | number, now = Date.now()): string {
  const minutes = Math.floor((now - new Date(when).getTime()) / 60_000)
  if (minutes < 0 || minutes >= 60 || Number.isNaN(minutes)) return timeOrDate(when, now)
  return minutes < 1 ? 'just now' : `${minutes} min ago`
}

/** As `timeAgo`, where there is little space: `now`, `12 min`. */
export const shortAge = (when: string | number, now = Date.now()): string =>
  timeAgo(when, now).replace(/^just | ago$/, '')

/** `06:22 tomorrow`, `14:05 today`, `21 Nov, 06:22`: until when something holds. */
export function timeAhead(when: string | number, now = Date.now()): string {
  if (isSameDay(when, now)) return `${clockTime(when)} today`
  const tomorrow = new Date(now)
  tomorrow.setDate(tomorrow.getDate() + 1)
  if (isSameDay(when, tomorrow.getTime())) return `${clockTime(when)} tomorrow`
  return `${shortDay(when, now)}, ${clockTime(when)}`
}

/** `14:05` today, `Wed 14:05` within a week, else `28 Nov, 14:05`: a moment that is due. */
export function dueTime(when: string | number, now = Date.now()): string {
  if (isSameDay(when, now)) return clockTime(when)
  const isNear = Math.abs(new Date(when).getTime() - now) < 6 * day
  return isNear
    ? `${format(when, { weekday: 'short' })} ${clockTime(when)}`
    : `${shortDay(when, now)}, ${clockTime(when)}`
}

/** As `dueTime`, in a sentence: `at 14:05`, `on Wed 14:05`. */
export const atDueTime = (when: string | number, now = Date.now()): string =>
  `${isSameDay(when, now) ? 'at' : 'on'} ${dueTime(when, now)}`

/** `9:05`: minutes and seconds of a countdown, in milliseconds. */
export function countdown(left: number): string {
  const seconds = Math.max(0, Math.ceil(left / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const day = 24 * 60 * 60_000

/** `21 Nov`, with the year where it is another one. */
export const shortDay = (when: string | number, now = Date.now()): string =>
  format(
    when,
    new Date(when).getFullYear() === new Date(now).getFullYear()
      ? { day: 'numeric', month: 'short' }
      : { day: 'numeric', month: 'short', year: 'numeric' },
  )

/** `31 Mar 2027`: a day of Ghana's calendar, `2027-03-31`. */
export const fullDay = (day: string): string =>
  format(day, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `November 2026`: the heading of a month. */
export const monthOf = (when: string | number): string =>
  format(when, { month: 'long', year: 'numeric' })

const isSameDay = (one: string | number, other: number) =>
  new Date(one).toDateString() === new Date(other).toDateString()

/** Each made once: making one takes a phone longer than a hundred dates. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Writes dates in Ghana's way, in the device's time zone unless `options` name another. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  // A format keeps the time zone in which it was made.
  const key = JSON.stringify([options, new Date().getTimezoneOffset()])
  const made =
    formats.get(key) ?? new Intl.DateTimeFormat('en-GH', { hourCycle: 'h23', ...options })
  formats.set(key, made)
  return made
}

function format(when: string | number, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(when)
  return Number.isNaN(date.getTime()) ? 'N/A' : dateFormat(options).format(date)
}
