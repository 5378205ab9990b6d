import { and, type SQL, sql } from 'drizzle-orm'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { RouteOnWay } from '#domain/zones/on-the-way.ts'
import {
  type DeliveryList,
  type DeliveryPage,
  type SearchCounts,
  type StatusCounts,
  withoutUnpaid,
} from '../../ports/stores/delivery-stores.ts'
import type { Page } from '../../ports/stores/paging.ts'
import { currentCursor, cursorOf, type Moment, moment } from '../connection/incarnations.ts'
import type { Db } from '../db.ts'
import { countRows, keysetPage, type Sorting, splitPage } from '../paged-list.ts'
import { once } from '../prepared.ts'
import { statusTotals } from '../records/statistics.ts'
import { deliveries, deliverySearch, isUnpaid } from '../tables.ts'
import {
  everInList,
  hasStatus,
  isFor,
  isInStatus,
  isStillDrivenBy,
  notVisibleIn,
} from './delivery-list.ts'
import { readDelivery, selectedColumns } from './delivery-row.ts'
import {
  allHits,
  findHits,
  isFoundBy,
  mostHits,
  readSearch,
  type Search,
} from './delivery-search.ts'

const sortings: Record<string, Sorting> = {
  createdAt: { by: deliveries.createdAt, type: 'timestamptz' },
  // Indexed in `delivery_search`, so that no change of a delivery updates the index.
  offer: { by: deliverySearch.pesewas, type: 'int' },
}
/** Those of a list of routes (R164). */
const sortingsOnWay: Record<string, Sorting> = {
  ...sortings,
  detour: { by: sql`way.metres`, type: 'int' },
}

/** The IDs that a search finds; no `hits` when there are more than are counted. */
type Found = { search: Search; hits: string[] | undefined }

/** The most rows that are compared with a search in the list's order, before all hits are read and sorted instead. */
const mostCompared = 5_000

/**
 * One page of a list. With a valid cursor in `since`, the rows that changed after it, and the
 * IDs of those that left the list (R73).
 */
export async function listDeliveries(
  db: Db,
  list: DeliveryList,
  page: Page,
  since: string | undefined,
  find: () => Promise<Found | undefined> = () => searchFor(db, page.search),
): Promise<DeliveryPage> {
  if (since === undefined && !page.search) {
    const atOnce = await keysetRows(db, list, page).readWithCursor(inList(list))
    if (atOnce) return atOnce
  }
  // Read before the hits and the rows: a change that commits in between is newer than the cursor, and comes again.
  const { cursor, from } = await currentCursor(db, since)
  if (from === undefined) return { ...(await readPage(db, list, page, await find())), cursor }
  // Few rows have changed since a cursor: they are compared.
  const { rows: stored, next } = await keysetRows(db, list, page).read(
    everInList(list, from),
    page.search ? isFoundBy(readSearch(page.search)) : undefined,
    notVisibleIn(deliveries.changed, from),
  )
  const isInList = (delivery: Delivery) =>
    isInStatus(list, delivery) && isStillDrivenBy(list, delivery)
  const removed = stored.filter((delivery) => !isInList(delivery)).map(({ ID }) => ID)
  return { rows: stored.filter(isInList), removed, cursor, next }
}

/** As `listDeliveries`, with the counts of what is found. The search is made once for both. */
export async function listCounted(
  db: Db,
  list: DeliveryList,
  page: Page,
  since: string | undefined,
): Promise<DeliveryPage & SearchCounts> {
  const find = once(() => searchFor(db, page.search))
  const reading = listDeliveries(db, list, page, since, find)
  const counting = page.search
    ? reading.then(async () => countFound(db, list, await find()))
    : countFound(db, list)
  const [read, counts] = await Promise.all([reading, counting])
  return { ...read, ...counts }
}

export async function countByStatus(
  db: Db,
  list: DeliveryList,
  isFound?: SQL,
): Promise<StatusCounts> {
  const totals =
    isOfAll(list) && !isFound
      ? await statusTotals(db)
      : await db
          .select({ status: deliveries.status, count: countRows() })
          .from(deliveries)
          .where(and(isFor(list), isFound))
          .groupBy(deliveries.status)
  return Object.fromEntries(totals.map(({ status, count }) => [status, count]))
}

async function countFound(db: Db, list: DeliveryList, found?: Found): Promise<SearchCounts> {
  // Counts by status would take longer than the rest.
  if (found && !found.hits) return { counts: {}, atLeast: isOfAll(list) ? mostHits : 0 }
  const isFound = found?.hits && isOneOf(found.hits)
  const [counts, [unpaid]] = await Promise.all([
    countByStatus(db, list, isFound),
    db
      .select({ count: countRows() })
      .from(deliveries)
      .where(and(isFor(list), isFound, isUnpaid)),
  ])
  return withoutUnpaid(counts, unpaid?.count ?? 0)
}

const isOfAll = ({ of, only = {} }: DeliveryList): boolean =>
  of === 'everyone' && Object.values(only).every((each) => each === undefined)

async function searchFor(db: Db, text: string | undefined): Promise<Found | undefined> {
  if (!text) return undefined
  const search = readSearch(text)
  return { search, hits: await findHits(db, search) }
}

const isOneOf = (ids: string[]) => sql`${deliveries.id} = any(${sql.param(ids)}::uuid[])`

const inList = (list: DeliveryList) => and(isFor(list), hasStatus(list))

async function readPage(db: Db, list: DeliveryList, page: Page, found: Found | undefined) {
  const rows = keysetRows(db, list, page)
  const condition = inList(list)
  if (!found) return rows.read(condition)
  if (found.hits) return rows.read(condition, isOneOf(found.hits))
  const near = await rows.first(mostCompared, condition)
  const nearest = await rows.read(condition, near, isFoundBy(found.search))
  // The hits may be old: reading on in order could read every row.
  const isFilled = nearest.next !== undefined || near === undefined
  return isFilled ? nearest : rows.read(isOneOf(await rows.idsOf(allHits(found.search), condition)))
}

/** The rows of these routes, with the detour of each as `way.metres`. */
const joinRoutes = (routes: readonly RouteOnWay[]) => sql`join unnest(
    ${sql.param(routes.map(({ pickup }) => pickup))}::text[],
    ${sql.param(routes.map(({ dropoff }) => dropoff))}::text[],
    ${sql.param(routes.map(({ km }) => Math.round(km * 1000)))}::int[]
  ) as way (pickup, dropoff, metres)
  on way.pickup = ${deliveries.pickupZone} and way.dropoff = ${deliveries.dropoffZone}`

/** Reads rows of a page in its order, after the page before. Refusal: invalid, for a page of another list. */
function keysetRows(db: Db, { routes }: DeliveryList, page: Page) {
  const { by, direction, order, position, after, upTo } = keysetPage(
    routes ? sortingsOnWay : sortings,
    routes ? 'detour' : '-createdAt',
    page,
    deliveries.id,
  )
  const limit = page.limit + 1
  const from = sql.join(
    [
      sql`deliveries`,
      ...(page.sort?.endsWith('offer')
        ? [sql`join delivery_search on delivery_search.id = deliveries.id`]
        : []),
      ...(routes ? [joinRoutes(routes)] : []),
    ],
    sql` `,
  )
  const inOrder = sql.join(order, sql`, `)
  const readRows = async (condition: SQL | undefined) => {
    const { rows } = await db.execute<Moment & { position: string }>(sql`
      select ${selectedColumns}, ${position} as position, ${moment.snapshot} as snapshot,
        ${moment.isStandby} as "isStandby", ${moment.newest} as newest
      from ${from} where ${and(sql`true`, after, condition)} order by ${inOrder} limit ${limit}`)
    return rows
  }
  const pageOf = (found: Awaited<ReturnType<typeof readRows>>) => {
    const rows = found.map((values) => {
      const row = readDelivery(values)
      return { row, position: values.position, id: row.ID }
    })
    return splitPage(rows, page.limit)
  }
  return {
    read: async (...conditions: (SQL | undefined)[]) => pageOf(await readRows(and(...conditions))),
    /** With the cursor of the same statement; `undefined` without rows, because then there is no cursor either. */
    async readWithCursor(condition: SQL | undefined): Promise<DeliveryPage | undefined> {
      const found = await readRows(condition)
      const [first] = found
      return first && { ...pageOf(found), cursor: cursorOf(first) }
    },
    /** The condition of the first so many rows; `undefined` when there are no more. */
    async first(count: number, condition: SQL | undefined): Promise<SQL | undefined> {
      const { rows } = await db.execute<{ position: string; id: string }>(sql`
        select ${position} as position, ${deliveries.id} as id
        from ${from} where ${and(sql`true`, after, condition)} order by ${inOrder} offset ${count} limit 1`)
      const [last] = rows
      return last && upTo(last)
    },
    /**
     * The first of these IDs that fulfil the condition, one more than the page. Materialised before the sort:
     * PostgreSQL overestimates their number and would read the whole list in order.
     */
    async idsOf(ids: SQL, condition: SQL | undefined): Promise<string[]> {
      const { rows } = await db.execute<{ id: string }>(sql`
        with hits as materialized (${ids}), found as materialized (
          select ${deliveries.id} as id, ${by} as key
          from ${from}, hits where ${and(sql`deliveries.id = hits.id`, after, condition)}
        )
        select id from found order by ${direction(sql`key`)}, ${direction(sql`id`)} limit ${limit}`)
      return rows.map(({ id }) => id)
    },
  }
}
