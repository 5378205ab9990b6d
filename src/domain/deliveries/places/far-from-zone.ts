import { type Pin, type Place, pinOf } from './place.ts'

/** A pin that is farther from its zone's centre is questioned, in metres (R112). */
const farFromZone = 10_000

/** Metres from a pin to its zone's centre if that is far, otherwise nothing; nothing, too, if the zone has no centre (R112). */
export function farFrom(pin: Pin, zone: Pick<Place, 'lat' | 'lng'> = {}): number | undefined {
  const centre = pinOf(zone)
  const metres = centre && distance(pin, centre)
  return metres !== undefined && metres > farFromZone ? metres : undefined
}

/** Metres between two pins, along the surface. */
function distance(from: Pin, to: Pin): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const across = Math.sin(radians(to.lat - from.lat) / 2) ** 2
  const along = Math.sin(radians(to.lng - from.lng) / 2) ** 2
  const share = across + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * along
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(share)))
}
