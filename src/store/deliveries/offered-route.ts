import type { Commute } from '#domain/users/commute.ts'
import { commuteAt } from '#domain/users/commutes.ts'
import { detourOf, type Way } from '#domain/zones/on-the-way.ts'
import type { Distance } from '#domain/zones/roads.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'

/** Jobs from and to these zones; one left out means any. */
export type OfferedRoute = { pickupZone?: string; dropoffZone?: string }

/** Which jobs on offer a driver looks at: those of a route, of all, or those on a way (R164). */
export type Offered = OfferedRoute | Way

export const isWay = (offered: Offered): offered is Way => 'from' in offered

/** The list of these jobs, always under the same key. */
export function offersRef(offered: Offered): ListRef {
  const query = new URLSearchParams()
  if (isWay(offered)) {
    const { from, to, detour } = offered
    if (detour !== undefined) query.set('detour', `${detour}`)
    query.set('from', from)
    query.set('to', to)
  } else {
    if (offered.dropoffZone) query.set('dropoffZone', offered.dropoffZone)
    if (offered.pickupZone) query.set('pickupZone', offered.pickupZone)
  }
  const text = `${query}`
  return text ? { kind: 'available', query: text } : { kind: 'available' }
}

/** Which jobs the query of a list asks for. */
export function offeredBy(query: string): Offered {
  const read = new URLSearchParams(query)
  const [from, to, detour] = [read.get('from'), read.get('to'), read.get('detour')]
  if (from && to) return { from, to, ...(detour === null ? {} : { detour: Number(detour) }) }
  const pickupZone = read.get('pickupZone')
  const dropoffZone = read.get('dropoffZone')
  return { ...(pickupZone ? { pickupZone } : {}), ...(dropoffZone ? { dropoffZone } : {}) }
}

/** Which jobs a list holds, by its key. */
export const offeredIn = (list: string): Offered => offeredBy(list.slice('available?'.length))

/** A job's detour in kilometres, 0 on a route; nothing for a job that is not looked at. */
export type JobMatcher = (job: { pickupZone: string; dropoffZone: string }) => number | undefined

/** Finds the jobs that are looked at. The detour of each route is looked up once. */
export function jobMatcher(offered: Offered, distance: Distance): JobMatcher {
  if (!isWay(offered)) return (job) => (isAlong(offered, job) ? 0 : undefined)
  // By pick-up, then drop-off: building one string key for each job costs more than both look-ups.
  const known = new Map<string, Map<string, number | undefined>>()
  return ({ pickupZone, dropoffZone }) => {
    let detours = known.get(pickupZone)
    if (!detours) {
      detours = new Map()
      known.set(pickupZone, detours)
    }
    if (!detours.has(dropoffZone))
      detours.set(dropoffZone, detourOf(distance, offered, pickupZone, dropoffZone))
    return detours.get(dropoffZone)
  }
}

/** What was chosen last on this device. The version before kept two zones as a route. */
function chosenBefore(stored: Offered): Offered {
  if (isWay(stored)) return stored
  const { pickupZone, dropoffZone } = stored
  return pickupZone && dropoffZone ? { from: pickupZone, to: dropoffZone } : stored
}

/**
 * What a driver who has chosen nothing else is shown at this time (milliseconds since 1970): the commute that fits it
 * (R166), else what was chosen last. `commute`: the one that fits.
 */
export function offeredAt(
  commutes: readonly Commute[],
  before: Offered,
  now: number,
): { offered: Offered; commute?: ReturnType<typeof commuteAt> } {
  const commute = commuteAt(commutes, new Date(now))
  return { offered: commute ?? chosenBefore(before), commute }
}

const isAlong = (route: OfferedRoute, job: { pickupZone: string; dropoffZone: string }): boolean =>
  (!route.pickupZone || job.pickupZone === route.pickupZone) &&
  (!route.dropoffZone || job.dropoffZone === route.dropoffZone)
