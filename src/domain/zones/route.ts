import type { Distance, ZonePlace } from './roads.ts'

/** Sums of lengths in binary are not exact. */
const rounding = 1e-6

/** The zones on the shortest way over these stops, by their names; straight on where no roads lead there. */
export function routeOver(
  zones: readonly ZonePlace[],
  distance: Distance,
  stops: readonly string[],
): string[] {
  const roadsOf = new Map(zones.map(({ Name, roads = [] }) => [Name, roads]))
  const between = (from: string, to: string): string[] => {
    const route = [from]
    for (let at = from; at !== to; ) {
      const left = distance(at, to)
      const next = roadsOf
        .get(at)
        ?.find((road) => Math.abs(road.km + distance(road.to, to) - left) < rounding)
      if (!next || route.includes(next.to)) return [from, to]
      at = next.to
      route.push(at)
    }
    return route
  }
  return stops.flatMap((stop, index) => between(stops[index - 1] ?? stop, stop).slice(index && 1))
}
