import { defaultZones } from '../choices.ts'
import type { ZonePlace } from './roads.ts'
import measured from './zone-roads.json' with { type: 'json' }

/** The default zones with their centres and roads (R163), each road at both of its ends, in the order of `defaultZones`. */
export function defaultPlaces(): ZonePlace[] {
  const centres: Record<string, number[]> = measured.centres
  const roads = measured.roads.flatMap(([one, other, km]) => [
    { at: one, to: String(other), km: Number(km) },
    { at: other, to: String(one), km: Number(km) },
  ])
  return defaultZones.map((Name) => {
    const [lat, lng] = centres[Name] ?? []
    const own = roads.filter(({ at }) => at === Name).map(({ to, km }) => ({ to, km }))
    return { Name, lat, lng, roads: own }
  })
}
