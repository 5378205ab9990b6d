import { endpoints, type Op } from '#contract/endpoints.ts'
import { Refusal } from '#domain/errors.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { storagePolicy } from '../idempotency/idempotency.ts'

type Route = { method: string; path: string }
export type FoundCall = { op: Op; endpoint: Endpoint; pathParameter: string }

const apiPrefix = '/api'
const ops = Object.keys(endpoints) as Op[]

/**
 * A batch takes the calls that change something and are repeated safely under their key (R88): all but
 * logins, sign-ups, codes and passwords, whose responses are not stored (R71).
 */
const isBatched = (op: Op): boolean =>
  endpoints[op].method !== 'GET' && storagePolicy(op, endpoints[op]) !== 'never'

/**
 * Finds the call of an operation among the server's routes. Refusals: not-found and method-not-allowed as
 * for a request of its own, invalid for a call that a batch does not take.
 */
export type CallFinder = (method: string, pathname: string) => FoundCall

export function callFinder(routes: Route[]) {
  const known = routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith(`${apiPrefix}/`))
    .map(withParts)
  const byRoute = new Map(ops.map((op) => [`${endpoints[op].method} ${endpoints[op].path}`, op]))
  return (method: string, pathname: string): FoundCall => {
    const parts = decodedPath(pathname).split('/')
    const matching = known.filter((route) => matches(route.parts, parts))
    if (matching.length === 0) throw new Refusal('not-found')
    // Like the server's router, it takes the first of two matching routes.
    const route = matching.find((each) => each.method === method)
    if (!route) throw new Refusal('method-not-allowed')
    const op = byRoute.get(`${method} ${route.path.slice(apiPrefix.length)}`)
    if (!op || !isBatched(op)) throw new Refusal('invalid', 'A batch does not take this call.')
    const at = route.parts.findIndex(isParameter)
    const pathParameter = decoded(parts[at] ?? '', decodeURIComponent)
    return { op, endpoint: endpoints[op], pathParameter }
  }
}

const withParts = (route: Route) => ({ ...route, parts: route.path.split('/') })

const isParameter = (part: string) => part.startsWith(':')

const matches = (pattern: string[], parts: string[]) =>
  pattern.length === parts.length &&
  pattern.every((part, at) => (isParameter(part) ? parts[at] !== '' : part === parts[at]))

/** A path as the router compares it; an escaped percent sign stays escaped. */
const decodedPath = (pathname: string) => decoded(pathname.replaceAll('%25', '%2525'), decodeURI)

function decoded(text: string, decode: (text: string) => string): string {
  try {
    return decode(text)
  } catch {
    return text
  }
}
