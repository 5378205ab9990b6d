import type { ListRef } from '#sync/lists/list-ref.ts'

/** The route a driver looks at; a zone left out means any. */
export type OfferedRoute = { pickupZone?: string; dropoffZone?: string }

/** The list of jobs on offer for a route, always under the same key. */
export function offersRef({ pickupZone, dropoffZone }: OfferedRoute): ListRef {
  const query = new URLSearchParams()
  if (dropoffZone) query.set('dropoffZone', dropoffZone)
  if (pickupZone) query.set('pickupZone', pickupZone)
  const text = `${query}`
  return text ? { kind: 'available', query: text } : { kind: 'available' }
}

/** The route in the query of such a list. */
export function routeOf(query: string): OfferedRoute {
  const read = new URLSearchParams(query)
  const pickupZone = read.get('pickupZone')
  const dropoffZone = read.get('dropoffZone')
  return { ...(pickupZone ? { pickupZone } : {}), ...(dropoffZone ? { dropoffZone } : {}) }
}

/** The route of such a list, by the list's key. */
export const offersRoute = (list: string): OfferedRoute => routeOf(list.slice('available?'.length))

/** Whether a delivery goes along a route. */
export const isAlong = (
  route: OfferedRoute,
  delivery: { pickupZone: string; dropoffZone: string } | undefined,
): boolean =>
  (!route.pickupZone || delivery?.pickupZone === route.pickupZone) &&
  (!route.dropoffZone || delivery?.dropoffZone === route.dropoffZone)
