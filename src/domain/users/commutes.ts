import { Refusal } from '../errors.ts'
import { minute } from '../product.ts'
import type { Commute } from './commute.ts'

/** A way from one zone to another, in this direction. */
export type Trip = { from: string; to: string }

export const maxCommutes = 5
export const anyZone = '*'
export const everyDay: readonly number[] = [1, 2, 3, 4, 5, 6, 7]

const day = 24 * 60 * minute
/** So many milliseconds before leaving a commute begins to fit, and its driver to be told of jobs (R166, R167). */
const noticeTime = 120 * minute
/** Milliseconds after leaving for which it still fits. */
const travelTime = 90 * minute

/** Whether it has a time of day, there or back. */
const isTimed = ({ leaves, returns }: Commute): boolean => (leaves ?? returns) !== undefined

/**
 * Refusals: invalid, same-zones, unknown-zone (R166). `zones`: the names that there are; one that has left this list
 * may stay in the commutes of `before`.
 */
export function assertCommutes(
  commutes: readonly Commute[],
  zones: readonly string[],
  before: readonly Commute[] = [],
): void {
  const known = new Set([anyZone, ...zones, ...before.flatMap(({ from, to }) => [from, to])])
  if (commutes.length > maxCommutes)
    throw new Refusal('invalid', `Keep at most ${maxCommutes} commutes.`)
  for (const { from, to, days, leaves, returns } of commutes) {
    if (from === to && from !== anyZone)
      throw new Refusal('same-zones', 'Current and destination zones cannot be the same.')
    if (!known.has(from) || !known.has(to)) throw new Refusal('unknown-zone')
    const isDays = days.length > 0 && days.every((each) => everyDay.includes(each))
    if (!isDays || new Set(days).size < days.length)
      throw new Refusal('invalid', 'Choose one or more days, from 1 (Monday) to 7 (Sunday).')
    for (const time of [leaves, returns])
      if (time !== undefined && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
        throw new Refusal('invalid', 'A time is written as 07:00.')
  }
}

/** Trips that follow a zone to its new name (R206). */
export const renamedTrips = <T extends Trip>(trips: readonly T[], before: string, after: string) =>
  trips.map((trip) => ({
    ...trip,
    from: trip.from === before ? after : trip.from,
    to: trip.to === before ? after : trip.to,
  }))

/** The routes of the version before (R120) as commutes without times: the first five (R166). */
export const commutesOf = (routes: readonly Trip[] = []): Commute[] =>
  routes
    .slice(0, maxCommutes)
    .map(({ from, to }) => ({ from, to, days: [...everyDay], notify: true }))

/** These commutes as routes, for servers and phones of the version before: there, and back if they return. */
export const routesOf = (commutes: readonly Commute[]): Trip[] =>
  commutes
    .filter(({ notify }) => notify)
    .flatMap(({ from, to, leaves, returns }) => [
      ...(leaves === undefined && returns !== undefined ? [] : [{ from, to }]),
      ...(returns === undefined ? [] : [{ from: to, to: from }]),
    ])

/**
 * The way of the commute that fits this time (R166): one with times fits from two hours before leaving until 90 minutes
 * after, the nearest first; `until`, `08:30`, is when it no longer fits. Otherwise the first commute of this day without
 * times, or nothing. A commute from or to any zone is no way.
 */
export function commuteAt(
  commutes: readonly Commute[],
  time: Date,
): (Trip & { until?: string }) | undefined {
  const now = time.getTime()
  const distance = ({ at }: Departure) => Math.abs(at - now)
  const [nearest] = departuresAround(commutes, now)
    .filter(({ at }) => at - noticeTime <= now && now < at + travelTime)
    .sort((a, b) => distance(a) - distance(b))
  if (nearest) {
    const { from, to, at } = nearest
    return { from, to, until: clockOf(at + travelTime) }
  }
  const today = dayOf(now)
  const untimed = commutes.find(
    (each) => isWay(each) && !isTimed(each) && each.days.includes(today),
  )
  return untimed && { from: untimed.from, to: untimed.to }
}

/** The trip that starts next, within a week (R166). `at`: when, in ISO 8601. */
export function nextTrip(
  commutes: readonly Commute[],
  time: Date,
): (Trip & { at: string }) | undefined {
  const now = time.getTime()
  const [next] = departuresAround(commutes, now)
    .filter(({ at }) => at > now)
    .sort((a, b) => a.at - b.at)
  return next && { from: next.from, to: next.to, at: new Date(next.at).toISOString() }
}

/** A part of a day, from its first to its last minute, `07:00`. */
export type Span = { day: number; first: string; last: string }

/** Trips that start in these spans have their drivers told of jobs now (R167): the next two hours, also beyond midnight. */
export function toldDepartures(time: Date): Span[] {
  const [now, last] = [time.getTime(), time.getTime() + noticeTime]
  const [today, tomorrow] = [dayOf(now), dayOf(last)]
  if (today === tomorrow) return [{ day: today, first: clockOf(now), last: clockOf(last) }]
  return [
    { day: today, first: clockOf(now), last: '23:59' },
    { day: tomorrow, first: '00:00', last: clockOf(last) },
  ]
}

/** Each direction of each commute with its time of day, `07:00`; none of those from or to any zone. */
export const tripsOf = (commutes: readonly Commute[]): (Trip & { time: string })[] =>
  commutes
    .filter(isWay)
    .flatMap(({ from, to, leaves, returns }) => [
      ...(leaves === undefined ? [] : [{ from, to, time: leaves }]),
      ...(returns === undefined ? [] : [{ from: to, to: from, time: returns }]),
    ])

type Departure = Trip & { at: number }

const isWay = ({ from, to }: Trip) => from !== anyZone && to !== anyZone

/** When trips start, from yesterday to a week from now, in milliseconds since 1970. */
function departuresAround(commutes: readonly Commute[], now: number): Departure[] {
  const midnight = now - (now % day)
  const days = Array.from({ length: 9 }, (_, n) => midnight + (n - 1) * day)
  return commutes
    .filter(isWay)
    .flatMap(({ from, to, leaves, returns, days: chosen }) =>
      days
        .filter((each) => chosen.includes(dayOf(each)))
        .flatMap((each) => [
          ...(leaves === undefined ? [] : [{ from, to, at: each + timeOf(leaves) }]),
          ...(returns === undefined ? [] : [{ from: to, to: from, at: each + timeOf(returns) }]),
        ]),
    )
}

/** 1 Monday to 7 Sunday, in Ghana. */
export const dayOf = (time: number): number => new Date(time).getUTCDay() || 7

/** `07:00`, in Ghana. */
const clockOf = (time: number): string => new Date(time).toISOString().slice(11, 16)

/** Milliseconds from midnight to `07:00`. */
const timeOf = (text: string): number =>
  (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * minute
