import type { Commute } from '#domain/users/commute.ts'
import { anyZone, everyDay, type Trip } from '#domain/users/commutes.ts'

/** `Osu to Tema`; `Any job to Tema` where it is from any zone. */
export function wayText({ from, to }: Trip): string {
  if (from === anyZone && to === anyZone) return 'Any job'
  if (from === anyZone) return `Any job to ${to}`
  return to === anyZone ? `Any job from ${from}` : `${from} to ${to}`
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** `Mon`, of 1 Monday to 7 Sunday. */
export const dayText = (day: number): string => dayNames[day - 1] ?? ''

/** `Mon to Fri`, `Every day` or `Mon, Wed`. */
export function daysText(days: readonly number[]): string {
  const sorted = [...days].sort()
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)]
  if (sorted.length === everyDay.length) return 'Every day'
  return sorted.length > 2 && last - first === sorted.length - 1
    ? `${dayText(first)} to ${dayText(last)}`
    : sorted.map(dayText).join(', ')
}

/** `07:00, back 17:30`; `any time` where it has no times. */
export function timesText({ leaves, returns }: Commute): string {
  const times = [leaves, returns && `back ${returns}`].filter((each) => each !== undefined)
  return times.join(', ') || 'any time'
}

/** `Mon 07:00`, in Ghana, whose time is UTC. `at`: ISO 8601. */
export const departureText = (at: string): string =>
  `${dayText(new Date(at).getUTCDay() || 7)} ${at.slice(11, 16)}`
