import { and, asc, desc, eq, gt, inArray, lte, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import type {
  Deliveries,
  DeliveryList,
  DeliveryPage,
  Page,
  SearchCounts,
  StatusCounts,
  StoredDelivery,
} from '../../ports/repo.ts'
import { currentCursor } from '../connection/incarnations.ts'
import { type Db, existing } from '../db.ts'
import { countRows, keysetPage, type Sorting, splitPage } from '../paged-list.ts'
import { insertOf, once, placeholdersOf } from '../prepared.ts'
import { statusTotals } from '../records/statistics.ts'
import { deliveries, deliverySearch } from '../tables.ts'
import { everInList, hasStatus, isFor, isStillDrivenBy, notVisibleIn } from './delivery-list.ts'
import { changingColumns, rowColumns, toDelivery, toRow } from './delivery-row.ts'
import { findHits, isFoundBy, mostHits, readSearch } from './delivery-search.ts'

const sortings: Record<string, Sorting> = {
  createdAt: { by: deliveries.createdAt, type: 'timestamptz' },
  // Its index is there, where no change of a delivery pays for it.
  offer: { by: deliverySearch.pesewas, type: 'int' },
}

const finished: Status[] = ['Approved', 'Cancelled']

export function deliveriesOver(db: Db): Deliveries {
  const row = () => db.select().from(deliveries)
  const isThis = eq(deliveries.id, sql.placeholder('id'))
  const read = once(() => row().where(isThis).prepare(''))
  const locked = once(() => row().where(isThis).for('no key update').prepare(''))
  const insert = insertOf(db, deliveries, rowColumns)
  const saved = once(() =>
    db
      .update(deliveries)
      .set(placeholdersOf(deliveries, changingColumns))
      .where(isThis)
      .returning({ version: deliveries.version, updatedAt: deliveries.updatedAt })
      .prepare(''),
  )
  return {
    async get(id) {
      const [found] = await read().execute({ id })
      return found && toDelivery(found)
    },
    async lock(id) {
      const [found] = await locked().execute({ id })
      return found && toDelivery(found)
    },
    async add(delivery) {
      const row = toRow(delivery)
      await insert(row)
      return toDelivery({ ...row, version: 1 })
    },
    async save(before, after) {
      const { handoverHash = null, trackHash = null } = before
      const row = { ...toRow(after), handoverHash, trackHash }
      const marks = marksAfter(before, row.updatedAt)
      await db.write(
        saved()
          .execute(row)
          .then(([found]) => assertMarked(existing(found), marks)),
      )
      return toDelivery({ ...row, ...marks })
    },
    async lockDue(at, limit) {
      const rows = await row()
        .where(and(lte(deliveries.dueAt, new Date(at)), eq(deliveries.disputed, false)))
        .orderBy(asc(deliveries.dueAt))
        .limit(limit)
        .for('no key update', { skipLocked: true })
      return rows.map(toDelivery)
    },
    async ofGuest(phone, endedSince) {
      const isAlive = or(
        notInArray(deliveries.status, finished),
        and(inArray(deliveries.status, finished), gt(deliveries.updatedAt, new Date(endedSince))),
      )
      const rows = await row()
        .where(and(eq(deliveries.isGuest, true), eq(deliveries.senderPhone, phone), isAlive))
        .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
        .limit(50)
      return rows.map(toDelivery)
    },
    async lockUnfinishedOf(userId) {
      const theirs = or(eq(deliveries.senderId, userId), eq(deliveries.driverId, userId))
      const rows = await row()
        .where(and(theirs, notInArray(deliveries.status, finished)))
        .orderBy(asc(deliveries.id))
        .for('no key update')
      return rows.map(toDelivery)
    },
    list: (list, page, since) =>
      listDeliveries(db, list, page, () => searchFor(db, page.search), since),
    async listCounted(list, page, since) {
      const search = await searchFor(db, page.search)
      const [found, counts] = await Promise.all([
        listDeliveries(db, list, page, async () => search, since),
        countFound(db, list, search),
      ])
      return { ...found, ...counts }
    },
    countByStatus: (list) => countByStatus(db, list),
  }
}

type Marks = { version: number; updatedAt: Date }

/** What the trigger `mark_changed` makes of these two: nobody has to wait for the row to be written. */
const marksAfter = (before: StoredDelivery, updatedAt: Date): Marks => ({
  version: before.version + 1,
  updatedAt: new Date(Math.max(updatedAt.getTime(), Date.parse(before.updatedAt) + 1)),
})

/** Throws when the trigger made something else of them: somebody changed a row that was not locked. */
function assertMarked(saved: Marks, { version, updatedAt }: Marks) {
  if (saved.version !== version || saved.updatedAt.getTime() !== updatedAt.getTime())
    throw new Error('A delivery was changed that was not locked')
}

const isOfAll = ({ of, only = {} }: DeliveryList): boolean =>
  of === 'everyone' && Object.values(only).every((each) => each === undefined)

async function countByStatus(db: Db, list: DeliveryList, search?: SQL): Promise<StatusCounts> {
  const totals =
    isOfAll(list) && !search
      ? await statusTotals(db)
      : await db
          .select({ status: deliveries.status, count: countRows() })
          .from(deliveries)
          .where(and(isFor(list), search))
          .groupBy(deliveries.status)
  return Object.fromEntries(totals.map(({ status, count }) => [status, count]))
}

async function countFound(
  db: Db,
  list: DeliveryList,
  search: FoundBySearch | undefined,
): Promise<SearchCounts> {
  // To count some of them by status would take longer than everything else, and say little.
  if (search?.isWhole === false) return { counts: {}, atLeast: isOfAll(list) ? mostHits : 0 }
  return { counts: await countByStatus(db, list, search?.condition) }
}

const comparedWith = (text: string | undefined) => (text ? isFoundBy(readSearch(text)) : undefined)

/** The condition of a search. Not `isWhole`: there is more than anybody counts. */
type FoundBySearch = { condition: SQL | undefined; isWhole: boolean }

async function searchFor(db: Db, text: string | undefined): Promise<FoundBySearch | undefined> {
  if (!text) return undefined
  const search = readSearch(text)
  const hits = await findHits(db, search)
  if (!hits) return { condition: isFoundBy(search), isWhole: false }
  return { condition: sql`${deliveries.id} = any(${sql.param(hits)}::uuid[])`, isWhole: true }
}

/**
 * One page of a list. With a valid cursor in `since`, the rows that changed after it, and the
 * IDs of those that left the list (R73). `search` looks for what the page's search finds.
 */
async function listDeliveries(
  db: Db,
  list: DeliveryList,
  page: Page,
  search: () => Promise<FoundBySearch | undefined>,
  since: string | undefined,
): Promise<DeliveryPage> {
  // Read before the rows: a change that commits in between is newer than the cursor, and comes again.
  const { cursor, from } = await currentCursor(db, since)
  const { order, position, after } = keysetPage(sortings, '-createdAt', page, deliveries.id)
  // Few rows have changed since a cursor: they are compared.
  const found = from === undefined ? (await search())?.condition : comparedWith(page.search)
  const rowsWithPosition = db
    .select({ row: deliveries, position, id: deliveries.id })
    .from(deliveries)
    .$dynamic()
  const isByOffer = page.sort?.endsWith('offer')
  const read = await (isByOffer
    ? rowsWithPosition.innerJoin(deliverySearch, eq(deliverySearch.id, deliveries.id))
    : rowsWithPosition
  )
    .where(
      and(
        from === undefined ? isFor(list) : everInList(list, from),
        found,
        after,
        from === undefined ? hasStatus(list) : notVisibleIn(deliveries.changed, from),
      ),
    )
    .orderBy(...order)
    .limit(page.limit + 1)
  const { rows, next } = splitPage(read, page.limit)
  const stored = rows.map(toDelivery)
  if (from === undefined) return { rows: stored, cursor, next }
  const isInList = (delivery: Delivery) =>
    (!list.statuses || list.statuses.includes(delivery.status)) && isStillDrivenBy(list, delivery)
  const removed = stored.filter((delivery) => !isInList(delivery)).map(({ ID }) => ID)
  return { rows: stored.filter(isInList), removed, cursor, next }
}
