import { minute } from '../product.ts'
import type { OfficeSettings } from './settings.ts'

const day = 24 * 60 * minute

/** The longest pause, in milliseconds. */
export const longestPause = 14 * day

/**
 * When requests are taken again, in milliseconds since 1970 (R205): after a pause, and within the opening hours. Nothing
 * while they are taken.
 */
export function pauseEnd(
  { pausedUntil, openingHours }: Pick<OfficeSettings, 'pausedUntil' | 'openingHours'>,
  now: number,
): number | undefined {
  const until = Math.max(now, Date.parse(pausedUntil ?? '') || 0)
  const end = openingHours ? nextOpen(openingHours, until) : until
  return end > now ? end : undefined
}

/** The first moment from `time` on that is within the hours, which may go beyond midnight. */
function nextOpen({ from, to }: { from: string; to: string }, time: number): number {
  const midnight = time - (time % day)
  const [opens, closes, now] = [timeOf(from), timeOf(to), time - midnight]
  const isOpen = opens < closes ? opens <= now && now < closes : opens <= now || now < closes
  if (isOpen) return time
  return midnight + opens + (now < opens ? 0 : day)
}

/** Milliseconds from midnight to `07:00`. */
const timeOf = (text: string): number =>
  (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * minute
