import type { PromiseExtended } from 'dexie'
import type { Pulled } from '#sync/database/engine-db.ts'
import { isAlong, type OfferedRoute } from '../deliveries/offered-route.ts'
import { isCurrentRow } from '../deliveries/row-schema.ts'
import type { DeliveryRow } from '../rows.ts'
import { bounds, currentAccount } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import type { FoundRange, ListRange } from './live/follow-pages.ts'
import { isFailing } from './pulls.ts'

/* The lists of deliveries that screens show, and how fresh a list is: the first page does without. */

/** Deliveries this person sent, newest first. */
export const sent = async (db: SomaDb, limit = 100, account?: string): Promise<DeliveryRow[]> =>
  (await sentRange(db, { limit }, account)).rows

/** A range of them. */
export const sentRange = (
  db: SomaDb,
  range: ListRange,
  account?: string,
): Promise<FoundRange<DeliveryRow>> => rowsIn(db, { by: 'sentAt', range, account })

/** Jobs this driver has on the server's word, newest first. */
export const jobs = async (db: SomaDb, limit = 100, account?: string): Promise<DeliveryRow[]> =>
  (await jobsRange(db, { limit }, account)).rows

/** A range of them. */
export const jobsRange = (
  db: SomaDb,
  range: ListRange,
  account?: string,
): Promise<FoundRange<DeliveryRow>> => rowsIn(db, { by: 'jobAt', range, account })

/** Jobs a driver may ask for, newest first; a zone left out means any. */
export const available = async (
  db: SomaDb,
  route: OfferedRoute = {},
  limit = 100,
  account?: string,
): Promise<DeliveryRow[]> => (await availableRange(db, route, { limit }, account)).rows

/** A range of them. */
export const availableRange = (
  db: SomaDb,
  route: OfferedRoute,
  range: ListRange,
  account?: string,
): Promise<FoundRange<DeliveryRow>> => {
  const isShown = isAny(route) ? undefined : ({ view }: DeliveryRow) => isAlong(route, view)
  return rowsIn(db, { by: 'openAt', range, account, isShown })
}

/** All of them that the phone has, best paid first: at most 2,000 (S50). */
export async function availableByPrice(
  db: SomaDb,
  route: OfferedRoute,
  account?: string,
): Promise<FoundRange<DeliveryRow>> {
  const { rows } = await availableRange(db, route, { limit: Number.POSITIVE_INFINITY }, account)
  return { rows: rows.sort((a, b) => b.view.offer - a.view.offer) }
}

/** How many jobs a driver may ask for on this route, as far as the phone has them. */
export async function availableCount(
  db: SomaDb,
  route: OfferedRoute,
  account?: string,
): Promise<number> {
  const all = rowsBetween(db, 'openAt', account ?? (await currentAccount(db)))
  if (isAny(route)) return all.count()
  return (await all.toArray()).filter(({ view }) => isAlong(route, view)).length
}

const isAny = (route: OfferedRoute) => !route.pickupZone && !route.dropoffZone

/** When a list was last confirmed by the server; `null` when it never was. */
export async function pulled(db: SomaDb, list: string, account?: string): Promise<Pulled | null> {
  const isShared = list === 'zones' || list === 'items'
  const owner = isShared ? '' : (account ?? (await currentAccount(db)))
  return (await db.pulls.get([owner, list])) ?? null
}

/** What is known of a list; `isFailing`: the server is there, and had no response when it was last asked for it. */
export type ListInfo = { pulled: Pulled | null; isFailing: boolean }

export const listInfo = (db: SomaDb, list: string, account?: string): Promise<ListInfo> =>
  db.transaction('r', [db.pulls, db.meta, db.sessions], async () => ({
    pulled: await pulled(db, list, account),
    isFailing: await isFailing(db, list),
  }))

/** When a list was last confirmed, milliseconds since 1970; `null` when it never was. */
export async function pulledAt(db: SomaDb, list: string): Promise<number | null> {
  return (await pulled(db, list))?.at || null
}

export type OfferOrder = 'newest' | 'price'

type Sorted = 'sentAt' | 'jobAt' | 'openAt'

/** The rows of a list within the bounds, oldest first. */
const rowsBetween = (
  db: SomaDb,
  by: Sorted,
  account: string,
  { below, from }: Partial<ListRange> = {},
) => {
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

type Sought = { by: Sorted; account: string; range: ListRange; isShown: IsShown }

/** Newest first. */
async function rowsIn(
  db: SomaDb,
  { by, range, account, isShown = () => true }: Pick<Sought, 'by' | 'range'> & Partial<Sought>,
): Promise<FoundRange<DeliveryRow>> {
  const read = range.from === undefined && Number.isFinite(range.limit) ? newest : within
  const owner = account ?? (await currentAccount(db))
  const found = await read(db, { by, account: owner, range, isShown })
  return { ...found, rows: found.rows.filter(isCurrentRow) }
}

/** All that is between the bounds: read at once, which a cursor is not. */
const within = (
  db: SomaDb,
  { by, account, range, isShown }: Sought,
): PromiseExtended<FoundRange<DeliveryRow>> =>
  rowsBetween(db, by, account, range)
    .toArray()
    .then((rows) => ({ rows: rows.filter(isShown).reverse() }))

/** The newest rows below the upper bound, as many as asked for, and others of the last one's time. */
const newest = (
  db: SomaDb,
  { by, account, range, isShown }: Sought,
): PromiseExtended<FoundRange<DeliveryRow>> =>
  rowsBetween(db, by, account, range)
    .reverse()
    .filter(isShown)
    .limit(range.limit + 1)
    .toArray()
    .then((found): FoundRange<DeliveryRow> | PromiseExtended<FoundRange<DeliveryRow>> => {
      const last = found.length > range.limit ? found[range.limit - 1]?.[by] : undefined
      if (last === undefined) return { rows: found }
      if (found[range.limit]?.[by] !== last) return { rows: found.slice(0, range.limit), last }
      const earlier = found.filter((row) => row[by] !== last)
      return db.deliveries
        .where(`[account+${by}]`)
        .equals([account, last])
        .toArray()
        .then((tied) => ({ rows: [...earlier, ...tied.filter(isShown).reverse()], last }))
    })
