import { distancesOf, type ZonePlace } from './roads.ts'
import { routeOver } from './route.ts'

/** A road, and by how many kilometres it is longer than the way over other zones: mistyped, or never used. */
export type LongerRoad = { from: string; to: string; extra: number; over: string[] }

/** The roads that no shortest way takes (R165), each once. */
export function longerRoads(zones: readonly ZonePlace[]): LongerRoad[] {
  const distance = distancesOf(zones)
  return zones.flatMap(({ Name: from, roads = [] }) =>
    roads.flatMap(({ to, km }) => {
      const extra = Math.round((km - distance(from, to)) * 10) / 10
      if (from > to || extra <= 0) return []
      return [{ from, to, extra, over: routeOver(zones, distance, [from, to]).slice(1, -1) }]
    }),
  )
}
