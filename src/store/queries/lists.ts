import type { PromiseExtended } from 'dexie'
import { type Way, worthOf } from '#domain/zones/on-the-way.ts'
import { distancesOf } from '#domain/zones/roads.ts'
import type { Pulled } from '#sync/database/engine-db.ts'
import { isWay, type JobMatcher, jobMatcher, type Offered } from '../deliveries/offered-route.ts'
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
  offered: Offered = {},
  limit = 100,
  account?: string,
): Promise<DeliveryRow[]> => (await availableRange(db, offered, { limit }, account)).rows

/** A range of them. Those on a way are complete only once the phone has the roads. */
export const availableRange = async (
  db: SomaDb,
  offered: Offered,
  range: ListRange,
  account?: string,
): Promise<FoundRange<DeliveryRow>> =>
  matchingRange(db, await matcherOf(db, offered), range, account)

/** All of them that the phone has, in this order: at most 2,000 (S50). */
export async function availableInOrder(
  db: SomaDb,
  offered: Offered,
  order: OfferOrder,
  account?: string,
): Promise<FoundRange<DeliveryRow>> {
  const matcher = await matcherOf(db, offered)
  const whole = { limit: Number.POSITIVE_INFINITY }
  const { rows, ...found } = await matchingRange(db, matcher, whole, account)
  if (order === 'newest') return { rows, ...found }
  const detour = order === 'pay' ? matcher.matches : () => 0
  return { ...found, rows: byWorth(rows, ({ view }) => worthOf(view.offer, detour(view) ?? 0)) }
}

/** Best first; of equals the best paid, then the newest. */
function byWorth(rows: readonly DeliveryRow[], worth: (row: DeliveryRow) => number): DeliveryRow[] {
  return rows
    .map((row) => ({ row, is: worth(row) }))
    .sort((a, b) => b.is - a.is || b.row.view.offer - a.row.view.offer)
    .map(({ row }) => row)
}

/** How many of these jobs on offer the phone has. */
export async function availableCount(
  db: SomaDb,
  offered: Offered,
  account?: string,
): Promise<number> {
  const all = rowsBetween(db, 'openAt', account ?? (await currentAccount(db)))
  if (isAny(offered)) return all.count()
  const { matches } = await matcherOf(db, offered)
  return (await all.toArray()).filter(({ view }) => matches(view) !== undefined).length
}

/**
 * Jobs that this phone has and that are not on a way: how many, and the nearest with their detours in kilometres.
 * `isLoaded`: the list of all jobs was loaded before they were read.
 */
export type Elsewhere = {
  isLoaded: boolean
  count: number
  nearest: { row: DeliveryRow; detour: number }[]
}

/** The nearest three of them. */
export async function availableElsewhere(
  db: SomaDb,
  way: Way,
  account?: string,
): Promise<Elsewhere> {
  const isLoaded = Boolean((await pulled(db, 'available', account))?.at)
  const { rows } = await availableRange(db, {}, { limit: Number.POSITIVE_INFINITY }, account)
  const onWay = await matcherOf(db, way)
  const others = rows.filter(({ view }) => onWay.matches(view) === undefined)
  const inReach = await matcherOf(db, { ...way, detour: Number.POSITIVE_INFINITY })
  const nearest = others
    .map((row) => ({ row, detour: inReach.matches(row.view) ?? Number.POSITIVE_INFINITY }))
    .filter(({ detour }) => detour < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.detour - b.detour)
  return { isLoaded, count: others.length, nearest: nearest.slice(0, 3) }
}

const isAny = (offered: Offered) => Object.values(offered).every((each) => !each)

/** `isComplete`: the zones are known where they are needed. One is enough, because they are stored at once. */
type Matcher = { matches: JobMatcher; isComplete: boolean }

/** Over the roads that this phone knows. */
async function matcherOf(db: SomaDb, offered: Offered): Promise<Matcher> {
  const zones = isWay(offered) ? await db.zones.toArray() : []
  return {
    matches: jobMatcher(offered, distancesOf(zones)),
    isComplete: !isWay(offered) || zones.length > 0,
  }
}

/** A range of the jobs on offer that match. */
async function matchingRange(
  db: SomaDb,
  { matches, isComplete }: Matcher,
  range: ListRange,
  account?: string,
): Promise<FoundRange<DeliveryRow>> {
  const isShown: IsShown = ({ view }) => matches(view) !== undefined
  return { ...(await rowsIn(db, { by: 'openAt', range, account, isShown })), isComplete }
}

export type ReadPart = (
  db: SomaDb,
  part: ListRange,
  account?: string,
) => Promise<FoundRange<DeliveryRow>>

/**
 * Reads parts of a list, complete once it was loaded. In one transaction: a list that is loaded meanwhile would say
 * nothing of rows that were read before.
 */
export function readLoaded(
  read: ReadPart,
  { db, list, account }: { db: SomaDb; list: string; account?: string },
) {
  let isLoaded = false
  return (part: ListRange): Promise<FoundRange<DeliveryRow>> =>
    db.transaction('r', [db.deliveries, db.pulls, db.sessions, db.zones], async () => {
      isLoaded ||= ((await pulled(db, list, account))?.at ?? 0) > 0
      const found = await read(db, part, account)
      return { ...found, isComplete: isLoaded && found.isComplete !== false }
    })
}

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

/** `pay`: best pay for the detour (R164). */
export type OfferOrder = 'newest' | 'price' | 'pay'

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
