import type { PromiseExtended } from 'dexie'
import { bounds, withCurrentAccount } from '../account/account.ts'
import type { Pulled } from '../database/engine-db.ts'
import { isAlong, type OfferedRoute } from '../deliveries/offered-route.ts'
import { isCurrentRow } from '../deliveries/row-schema.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'
import type { FoundPart, Part } from './follow-pages.ts'

/* The lists of deliveries that screens show, and how fresh a list is: the first page does without. */

/** Deliveries this person sent, newest first. */
export const sent = async (db: SomaDb, limit = 100): Promise<DeliveryRow[]> =>
  (await sentPart(db, { limit })).rows

/** A part of them. */
export const sentPart = (db: SomaDb, part: Part): Promise<FoundPart<DeliveryRow>> =>
  partOf(db, 'sentAt', part)

/** Jobs this driver has on the server's word, newest first. */
export const jobs = async (db: SomaDb, limit = 100): Promise<DeliveryRow[]> =>
  (await jobsPart(db, { limit })).rows

/** A part of them. */
export const jobsPart = (db: SomaDb, part: Part): Promise<FoundPart<DeliveryRow>> =>
  partOf(db, 'jobAt', part)

/** Jobs a driver may ask for, newest first; a zone left out means any. */
export const available = async (
  db: SomaDb,
  route: OfferedRoute = {},
  limit = 100,
): Promise<DeliveryRow[]> => (await availablePart(db, route, { limit })).rows

/** A part of them. */
export const availablePart = (
  db: SomaDb,
  route: OfferedRoute,
  part: Part,
): Promise<FoundPart<DeliveryRow>> =>
  partOf(db, 'openAt', part, isAny(route) ? undefined : ({ view }) => isAlong(route, view))

/** All of them that the phone has, best paid first: at most 2,000 (S50). */
export async function availableByPrice(
  db: SomaDb,
  route: OfferedRoute,
): Promise<FoundPart<DeliveryRow>> {
  const { rows } = await availablePart(db, route, { limit: Number.POSITIVE_INFINITY })
  return { rows: rows.sort((a, b) => b.view.offer - a.view.offer) }
}

/** How many jobs a driver may ask for on this route, as far as the phone has them. */
export async function availableCount(db: SomaDb, route: OfferedRoute): Promise<number> {
  const { found } = await withCurrentAccount(db, (account) => {
    const all = range(db, 'openAt', account)
    if (isAny(route)) return all.count()
    return all.toArray().then((rows) => rows.filter(({ view }) => isAlong(route, view)).length)
  })
  return found
}

const isAny = (route: OfferedRoute) => !route.pickupZone && !route.dropoffZone

/** When a list was last confirmed by the server; `null` when it never was. */
export async function pulled(db: SomaDb, list: string): Promise<Pulled | null> {
  const shared = list === 'zones' || list === 'items'
  if (shared) return (await db.pulls.get(['', list])) ?? null
  const { found } = await withCurrentAccount(db, (account) => db.pulls.get([account, list]))
  return found ?? null
}

/** When a list was last confirmed, milliseconds since 1970; `null` when it never was. */
export async function pulledAt(db: SomaDb, list: string): Promise<number | null> {
  return (await pulled(db, list))?.at || null
}

export type OfferOrder = 'newest' | 'price'

type Sorted = 'sentAt' | 'jobAt' | 'openAt'

/** The rows of a list within the bounds, oldest first. */
const range = (db: SomaDb, by: Sorted, account: string, { below, from }: Partial<Part> = {}) => {
  const [first, last] = bounds(account)
  return db.deliveries
    .where(`[account+${by}]`)
    .between(
      from === undefined ? first : [account, from],
      below === undefined ? last : [account, below],
      true,
      false,
    )
}

type IsShown = (row: DeliveryRow) => boolean

type Sought = { by: Sorted; account: string; part: Part; isShown: IsShown }

/** Newest first. */
async function partOf(
  db: SomaDb,
  by: Sorted,
  part: Part,
  isShown: IsShown = () => true,
): Promise<FoundPart<DeliveryRow>> {
  const read = part.from === undefined && Number.isFinite(part.limit) ? newest : within
  const { found } = await withCurrentAccount(db, (account) =>
    read(db, { by, account, part, isShown }),
  )
  return { ...found, rows: found.rows.filter(isCurrentRow) }
}

/** All that is between the bounds: read at once, which a cursor is not. */
const within = (
  db: SomaDb,
  { by, account, part, isShown }: Sought,
): PromiseExtended<FoundPart<DeliveryRow>> =>
  range(db, by, account, part)
    .toArray()
    .then((rows) => ({ rows: rows.filter(isShown).reverse() }))

/** The newest rows below the upper bound, as many as asked for, and others of the last one's time. */
const newest = (
  db: SomaDb,
  { by, account, part, isShown }: Sought,
): PromiseExtended<FoundPart<DeliveryRow>> =>
  range(db, by, account, part)
    .reverse()
    .filter(isShown)
    .limit(part.limit + 1)
    .toArray()
    .then((found): FoundPart<DeliveryRow> | PromiseExtended<FoundPart<DeliveryRow>> => {
      const last = found.length > part.limit ? found[part.limit - 1]?.[by] : undefined
      if (last === undefined) return { rows: found }
      if (found[part.limit]?.[by] !== last) return { rows: found.slice(0, part.limit), last }
      const earlier = found.filter((row) => row[by] !== last)
      return db.deliveries
        .where(`[account+${by}]`)
        .equals([account, last])
        .toArray()
        .then((tied) => ({ rows: [...earlier, ...tied.filter(isShown).reverse()], last }))
    })
