import { Refusal } from '#domain/errors.ts'
import type { Way } from '#domain/zones/on-the-way.ts'

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

/** The ways of `?way=<from>|<to>` or `?way=<from>|<to>|<km>`, which may be repeated (R95, R164). Refusal: invalid. */
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

/** The routes whose jobs a stream tells of: those it names, and those on its ways; each as `routeKey` writes it. */
export type StreamRoutes = { named: readonly Route[]; ways: readonly Way[]; onWays: Set<string> }

/** Whether a stream tells of this route's jobs; one that names no route and no way tells of all. */
export function matchesRoute({ named, ways, onWays }: StreamRoutes, [from, to]: Route): boolean {
  if (named.length === 0 && ways.length === 0) return true
  if (onWays.has(routeKey(from, to))) return true
  return named.some((each) => isSame(each[0], from) && isSame(each[1], to))
}

/** A route as one text. */
export const routeKey = (from: string, to: string) => `${from}|${to}`

const isSame = (wanted: string, zone: string) => wanted === '*' || wanted === zone
