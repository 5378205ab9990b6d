import { Refusal } from '#domain/errors.ts'

/** A route a driver looks at: a zone's name, or `*` for any zone, on either side. */
export type Route = readonly [from: string, to: string]

const maxRoutes = 50
/** A zone's name has at most 200 characters (R20). */
const maxLength = 200

/**
 * The routes of `?route=<from>|<to>`, which may be repeated; empty when there is none: all routes (R95).
 * Refusal: invalid.
 */
export function readRoutes(texts: string[]): Route[] {
  if (texts.length > maxRoutes)
    throw new Refusal('invalid', `At most ${maxRoutes} routes may be named.`)
  return texts.map((text) => {
    const [from = '', to = '', ...rest] = text.split('|')
    const isZone = (name: string) => name !== '' && name.length <= maxLength
    if (rest.length > 0 || !isZone(from) || !isZone(to))
      throw new Refusal('invalid', 'A route is written as two zones with | between them.')
    return [from, to]
  })
}

/** Whether the route is among these; an empty list stands for all routes. */
export const matchesRoute = (routes: readonly Route[], [from, to]: Route): boolean =>
  routes.length === 0 || routes.some((each) => isSame(each[0], from) && isSame(each[1], to))

const isSame = (wanted: string, zone: string) => wanted === '*' || wanted === zone
