import type { WayDrivers } from '../way-guide.ts'
import { detourOf } from '../zones/on-the-way.ts'
import type { Distance } from '../zones/roads.ts'
import type { Commute } from './commute.ts'
import { tripsOf } from './commutes.ts'

/** Hours of the day in Ghana, from and until. */
const hours = { morning: [4, 12], evening: [15, 22] } as const
/** Numbers are multiples of it, so that nobody can be recognised by one driver more or less. */
const step = 3

/**
 * How many of these drivers have a commute with a time on which a way lies, rounded down to threes (R170).
 * `commutes`: those of each driver.
 */
export function driversOnWay(
  distance: Distance,
  commutes: readonly (readonly Commute[])[],
  { from, to }: { from: string; to: string },
): WayDrivers {
  const known = new Map<string, boolean>()
  const isOn = (trip: { from: string; to: string }) => {
    const key = JSON.stringify([trip.from, trip.to])
    const found = known.get(key) ?? detourOf(distance, trip, from, to) !== undefined
    known.set(key, found)
    return found
  }
  const count = ([since, until]: readonly [number, number]) => {
    const goes = (of: readonly Commute[]) =>
      tripsOf(of).some((trip) => {
        const hour = Number(trip.time.slice(0, 2))
        return hour >= since && hour < until && isOn(trip)
      })
    return Math.floor(commutes.filter(goes).length / step) * step
  }
  return { morning: count(hours.morning), evening: count(hours.evening) }
}
