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
