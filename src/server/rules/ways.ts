import type { Delivery } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { type RouteOnWay, routesOnWay, shownDetour, type Way } from '#domain/zones/on-the-way.ts'
import { type Distance, distancesOf, type ZonePlace } from '#domain/zones/roads.ts'
import { currentName } from '#domain/zones/zone.ts'
import { readDetour } from '../ports/job-routes.ts'

/**
 * The way that a query names; nothing where it names none. Refusals: invalid, for one zone alone or a detour outside
 * 0 to 10; same-zones (R164).
 */
export function readWay(query: { from?: string; to?: string; detour?: string }): Way | undefined {
  const { from, to } = query
  const detour = readDetour(query.detour)
  if (from === undefined && to === undefined) return undefined
  if (!from || !to)
    throw new Refusal('invalid', 'Please select both your current and destination zones.')
  if (from === to)
    throw new Refusal('same-zones', 'Current and destination zones cannot be the same.')
  return { from, to, detour }
}

/** Refusal: unknown-zone. */
export function assertKnown(zones: readonly ZonePlace[], way: Way): void {
  for (const name of [way.from, way.to])
    if (!currentName(zones, name)) throw new Refusal('unknown-zone')
}

/** Finds the routes on a way. Distances are cached until the zones change: for 200 zones they take some milliseconds. */
export function routeFinder() {
  let known: { of: string; distance: Distance } | undefined
  return (zones: readonly ZonePlace[], way: Way): RouteOnWay[] => {
    const of = JSON.stringify(zones)
    if (known?.of !== of) known = { of, distance: distancesOf(zones) }
    return routesOnWay(known.distance, zones, way)
  }
}

/** A route as one text, whatever its zones are called. */
const routeKey = (from: string, to: string) => JSON.stringify([from, to])

type Found = { body: { deliveries: Delivery[] }; tag: string }

/** The jobs with their detours. A change of the roads changes the tag too. */
export function withDetours<T extends Found>(found: T, routes: readonly RouteOnWay[]) {
  const kmOf = new Map(routes.map(({ pickup, dropoff, km }) => [routeKey(pickup, dropoff), km]))
  const deliveries = found.body.deliveries.map((each) => ({
    ...each,
    detourKm: shownDetour(kmOf.get(routeKey(each.pickupZone, each.dropoffZone)) ?? 0),
  }))
  const detours = deliveries.map(({ detourKm }) => detourKm)
  return { ...found, body: { ...found.body, deliveries }, tag: `${found.tag}${detours}` }
}
