import { Refusal } from '#domain/errors.ts'
import { detourOf, type Way } from '#domain/zones/on-the-way.ts'
import type { Distance } from '#domain/zones/roads.ts'

/** A route a driver looks at: a zone's name, or `*` for any zone, on either side. */
export type Route = readonly [from: string, to: string]

const maxRoutes = 50
/** The most kilometres of a detour that a driver may choose (R164). */
const maxDetour = 10
/** A zone's name has at most 200 characters (R20). */
const maxLength = 200

/**
 * The routes of `?route=<from>|<to>`, which may be repeated; empty when there is none: all routes (R95).
 * Refusal: invalid.
 */
export function readRoutes(texts: string[]): Route[] {
  assertFew(texts)
  return texts.map((text) => {
    const [from = '', to = '', ...rest] = text.split('|')
    if (rest.length > 0 || !isZone(from) || !isZone(to))
      throw new Refusal('invalid', 'A route is written as two zones with | between them.')
    return [from, to]
  })
}

/**
 * The ways of `?way=<from>|<to>` or `?way=<from>|<to>|<km>`, which may be repeated (R95, R164); with `*` for any zone it is
 * a route. Refusal: invalid.
 */
export function readWays(texts: string[]): Way[] {
  assertFew(texts)
  return texts.map((text) => {
    const [from = '', to = '', km, ...rest] = text.split('|')
    if (rest.length > 0 || !isZone(from) || !isZone(to))
      throw new Refusal('invalid', 'A way is written as two zones with | between them.')
    return { from, to, detour: readDetour(km) }
  })
}

/** Kilometres. Refusal: invalid. */
export function readDetour(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const km = /^\d{1,2}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (km <= maxDetour) return km
  throw new Refusal('invalid', `A detour has 0 to ${maxDetour} kilometres.`)
}

function assertFew(texts: string[]): void {
  if (texts.length > maxRoutes)
    throw new Refusal('invalid', `At most ${maxRoutes} routes may be named.`)
}

const isZone = (name: string) => name !== '' && name.length <= maxLength

/** What a stream names. `distance`: over the roads of this moment; nothing while they are not known. */
export type StreamRoutes = {
  named: readonly Route[]
  ways: readonly Way[]
  distance: () => Distance | undefined
}

/**
 * Whether a stream is of this route: one that it names or that is on one of its ways (R164). One that names neither is of
 * all, as is one with a way while the roads are not known: no job is missed.
 */
export function matchesRoute({ named, ways, distance }: StreamRoutes, route: Route): boolean {
  if (named.length === 0 && ways.length === 0) return true
  if (named.some((each) => isAlong(each, route))) return true
  const roads = distance()
  return ways.some((way) => {
    if (isAlong([way.from, way.to], route)) return true
    return !roads || detourOf(roads, way, ...route) !== undefined
  })
}

const isAlong = ([from, to]: Route, route: Route) => isSame(from, route[0]) && isSame(to, route[1])

const isSame = (wanted: string, zone: string) => wanted === '*' || wanted === zone
