import { Refusal } from '#domain/errors.ts'
import { isTimestamp } from '../ports/storable-values.ts'

/** When a day such as `2026-11-21` begins in Ghana, whose time is UTC, and `later` days after it. Refusal: invalid. */
export function startOfDay(day: string, later = 0): string {
  if (!/^2\d{3}-\d\d-\d\d$/.test(day) || !isTimestamp(`${day}T00:00:00Z`))
    throw new Refusal('invalid', 'A day is written like 2026-11-21.')
  const start = new Date(`${day}T00:00:00Z`)
  start.setUTCDate(start.getUTCDate() + later)
  return start.toISOString()
}

/** Every day from the first to the last, both included; at most 366. Refusal: invalid. */
export function daysFrom(first: string, last: string): string[] {
  const end = startOfDay(last)
  const days: string[] = []
  for (let next = startOfDay(first); next <= end; next = startOfDay(first, days.length)) {
    days.push(next.slice(0, 10))
    if (days.length > 366) throw new Refusal('invalid', 'Ask for at most 366 days.')
  }
  if (days.length === 0) throw new Refusal('invalid', 'The first day is after the last.')
  return days
}
