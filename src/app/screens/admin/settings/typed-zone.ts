import type { Zone, ZoneChange } from '#domain/zones/zone.ts'

/** A zone's centre and roads as they are typed. */
export type TypedZone = { lat: string; lng: string; roads: { to: string; km: string }[] }

export const typedZone = ({ lat, lng, roads = [] }: Zone): TypedZone => ({
  lat: `${lat ?? ''}`,
  lng: `${lng ?? ''}`,
  roads: roads.map(({ to, km }) => ({ to, km: `${km}` })),
})

/**
 * What of the zone was changed to something valid, and what is wrong with the rest (R165). Roads to zones that were
 * deleted meanwhile are left out.
 */
export function changeOf(
  typed: TypedZone,
  zone: Zone,
  zones: readonly Zone[],
): { change: ZoneChange; problems: string[] } {
  const problems: string[] = []
  const change: ZoneChange = {}
  const [lat, lng] = [numberIn(typed.lat), numberIn(typed.lng)]
  const isEmpty = `${typed.lat}${typed.lng}`.trim() === '' && zone.lat === undefined
  if (Math.abs(lat) <= 90 && Math.abs(lng) <= 180) {
    if (lat !== zone.lat || lng !== zone.lng) Object.assign(change, { lat, lng })
  } else if (!isEmpty) problems.push('Enter a latitude up to 90 and a longitude up to 180 degrees')

  const known = typed.roads.filter(({ to }) => zones.some(({ Name }) => Name === to))
  const roads = known.map(({ to, km }) => ({ to, km: numberIn(km) }))
  const wrong = roads.filter(({ km }) => !(km > 0 && km <= 500))
  for (const { to } of wrong) problems.push(`${to}: enter more than 0 and at most 500 km`)
  const read = roads.filter((road) => !wrong.includes(road))
  if (!isSame(read, zone.roads ?? [])) change.roads = read
  return { change, problems }
}

type Roads = Required<ZoneChange>['roads']
const isSame = (some: Roads, others: Roads) =>
  some.length === others.length &&
  some.every(({ to, km }) => others.some((other) => other.to === to && other.km === km))

/** A number with a point or a comma; `NaN` for none. */
const numberIn = (text: string) =>
  text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'))
