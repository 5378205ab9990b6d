import { Refusal } from '../errors.ts'
import { formerNames, type Zone, type ZoneChange } from './zone.ts'

/**
 * The zones after a change of one (R165): its roads replace those it had, and stand at their other ends too. Refusals:
 * `not-found` without such a zone, `unknown-zone` for a road to none, `invalid` for one to itself or for two to the same.
 */
export function changeZone<Z extends Zone>(
  zones: readonly Z[],
  id: string,
  { roads, ...centre }: ZoneChange,
): Z[] {
  const zone = zones.find(({ ID }) => ID === id)
  if (!zone) throw new Refusal('not-found')
  if (roads) checkRoads(zones, zone, roads)
  return zones.map((each) => {
    if (each.ID === id) return withRoads({ ...each, ...centre }, roads ?? each.roads)
    if (!roads) return each
    const back = roads.filter(({ to }) => to === each.Name)
    const roadBack = back.map(({ km }) => ({ to: zone.Name, km }))
    return withRoads(each, [...roadsExcept(each, zone.Name), ...roadBack])
  })
}

/** The zones with another name of one (R206); the roads lead on to it. */
export function renameZone<Z extends Zone>(zones: readonly Z[], id: string, name: string): Z[] {
  const zone = zones.find(({ ID }) => ID === id)
  if (!zone || zone.Name === name) return [...zones]
  return zones.map((each) => {
    if (each.ID === id) return { ...each, Name: name, former: formerNames(each, name) }
    const roads = each.roads?.map((road) => (road.to === zone.Name ? { ...road, to: name } : road))
    return withRoads(each, roads)
  })
}

/** The zones without one and without the roads to it. */
export function removeZone<Z extends Zone>(zones: readonly Z[], id: string): Z[] {
  const name = zones.find(({ ID }) => ID === id)?.Name
  return zones.filter(({ ID }) => ID !== id).map((each) => withRoads(each, roadsExcept(each, name)))
}

const roadsExcept = ({ roads = [] }: Zone, name?: string) => roads.filter(({ to }) => to !== name)

const withRoads = <Z extends Zone>(zone: Z, roads: Zone['roads']): Z => ({
  ...zone,
  roads: roads?.length ? roads : undefined,
})

function checkRoads(zones: readonly Zone[], { Name }: Zone, roads: Required<ZoneChange>['roads']) {
  const names = roads.map(({ to }) => to)
  if (names.includes(Name)) throw new Refusal('invalid', 'A zone has no road to itself.')
  if (new Set(names).size < names.length)
    throw new Refusal('invalid', 'A zone has one road to each neighbour.')
  if (!names.every((name) => zones.some((zone) => zone.Name === name)))
    throw new Refusal('unknown-zone')
}
