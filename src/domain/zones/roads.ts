/** A zone with its centre in degrees, and the roads to its neighbours. */
export type ZonePlace = {
  Name: string
  lat?: number
  lng?: number
  roads?: { to: string; km: number }[]
  /** Names that it had before (R206). */
  former?: string[]
}

/** Kilometres between two zones by their names; `Infinity` where none is known. */
export type Distance = (from: string, to: string) => number

/** How many times longer a road between two zones is than the straight line, on average. */
const windingOfRoads = 1.3
const kilometresPerDegree = 111.32

/**
 * The distances between these zones, also by former names (R163, R206): the shortest way over their roads, which go both ways; without one, 1.3 times
 * the straight line of their centres. Each zone's ways are found when they are first asked for.
 */
export function distancesOf(zones: readonly ZonePlace[]): Distance {
  const at = new Map(zones.map(({ Name }, index) => [Name, index]))
  for (const [index, { former = [] }] of zones.entries())
    for (const name of former) if (!at.has(name)) at.set(name, index)
  const neighbours = zones.map(() => new Map<number, number>())
  for (const [from, { roads = [] }] of zones.entries())
    for (const { to, km } of roads) {
      const end = at.get(to)
      if (end === undefined) continue
      const shortest = Math.min(km, neighbours[from]?.get(end) ?? Number.POSITIVE_INFINITY)
      neighbours[from]?.set(end, shortest)
      neighbours[end]?.set(from, shortest)
    }
  const found = new Map<number, Float64Array>()
  const waysFrom = (start: number) => {
    const known = found.get(start) ?? shortestWays(neighbours, start)
    found.set(start, known)
    return known
  }
  return (from, to) => {
    if (from === to) return 0
    const [start, end] = [at.get(from), at.get(to)]
    if (start === undefined || end === undefined) return Number.POSITIVE_INFINITY
    const way = waysFrom(start)[end] ?? Number.POSITIVE_INFINITY
    return way < Number.POSITIVE_INFINITY ? way : straight(zones[start], zones[end])
  }
}

/** Kilometres from one zone to each; a zone whose way became shorter is looked at again. */
function shortestWays(neighbours: readonly Map<number, number>[], start: number): Float64Array {
  const ways = new Float64Array(neighbours.length).fill(Number.POSITIVE_INFINITY)
  ways[start] = 0
  const changed = new Set([start])
  for (const from of changed) {
    changed.delete(from)
    for (const [to, km] of neighbours[from] ?? []) {
      const way = (ways[from] ?? 0) + km
      if (way >= (ways[to] ?? 0)) continue
      ways[to] = way
      changed.add(to)
    }
  }
  return ways
}

/** Over a city the earth is flat. */
function straight(from: ZonePlace | undefined, to: ZonePlace | undefined): number {
  if (from?.lat === undefined || from.lng === undefined) return Number.POSITIVE_INFINITY
  if (to?.lat === undefined || to.lng === undefined) return Number.POSITIVE_INFINITY
  const north = to.lat - from.lat
  const east = (to.lng - from.lng) * Math.cos((((from.lat + to.lat) / 2) * Math.PI) / 180)
  return Math.hypot(north, east) * kilometresPerDegree * windingOfRoads
}
