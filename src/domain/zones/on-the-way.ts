import type { Distance } from './roads.ts'

/** Where somebody goes, by the names of the zones. */
export type Way = {
  from: string
  to: string
  /** Kilometres that they would go further, 0 to 10. */
  detour?: number
}

/** The usual limit of a detour: kilometres, or a share of the way if that is more. */
const usual = { km: 2, share: 0.25 }
/** Sums of lengths in binary are not exact. */
const rounding = 1e-9

/**
 * Kilometres that a job from `pickup` to `dropoff` adds to this way (R164); `undefined` where it is not on it. The way's
 * own route adds none.
 */
export function detourOf(
  distance: Distance,
  way: Way,
  pickup: string,
  dropoff: string,
): number | undefined {
  const { from, to, detour } = way
  if (pickup === from && dropoff === to) return 0
  const direct = distance(from, to)
  if (direct === Number.POSITIVE_INFINITY) return undefined
  const most = direct + (detour ?? Math.max(usual.km, usual.share * direct)) + rounding
  // Asked from the ends of the way, which are the same for every job; most jobs are too far from both.
  const toAndFrom = distance(from, pickup) + distance(to, dropoff)
  if (toAndFrom > most) return undefined
  const whole = toAndFrom + distance(pickup, dropoff)
  return whole <= most ? Math.max(0, whole - direct) : undefined
}

/** A route between two zones, and the kilometres that its jobs add to a way. */
export type RouteOnWay = { pickup: string; dropoff: string; km: number }

/** The routes between these zones, also by former names (R206), that are on a way (R164), smallest detour first. */
export function routesOnWay(
  distance: Distance,
  zones: readonly { Name: string; former?: string[] }[],
  way: Way,
): RouteOnWay[] {
  const found: RouteOnWay[] = []
  const names = new Set(zones.flatMap(({ Name, former = [] }) => [Name, ...former]))
  for (const pickup of names)
    for (const dropoff of names) {
      if (pickup === dropoff) continue
      const km = detourOf(distance, way, pickup, dropoff)
      if (km !== undefined) found.push({ pickup, dropoff, km })
    }
  return found.sort((one, other) => one.km - other.km)
}

/** The ways between these zones that a job from `pickup` to `dropoff` is on (R164). */
export function waysOver(
  distance: Distance,
  zones: readonly { Name: string }[],
  pickup: string,
  dropoff: string,
): { from: string; to: string }[] {
  const ways = zones.flatMap(({ Name: from }) => zones.map(({ Name: to }) => ({ from, to })))
  return ways.filter(
    (way) => way.from !== way.to && detourOf(distance, way, pickup, dropoff) !== undefined,
  )
}

/** What a job pays for each kilometre of its detour. A shorter detour counts as one kilometre, because every stop costs time. */
export const worthOf = (offer: number, detour: number): number => offer / Math.max(1, detour)

/** Kilometres with one decimal, as the wire and the screens give a detour. */
export const shownDetour = (km: number): number => Math.round(km * 10) / 10
