import { and, asc, desc, eq, gt, inArray, lte, notInArray, or } from 'drizzle-orm'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import type { Deliveries, DeliveryList, DeliveryPage, Page } from '../../ports/repo.ts'
import { currentCursor } from '../connection/incarnations.ts'
import { type Db, existing } from '../db.ts'
import { countRows, keysetPage, type Sorting, splitPage } from '../paged-list.ts'
import { matchesReference } from '../search.ts'
import { deliveries } from '../tables.ts'
import { everInList, hasStatus, isFor, isStillDrivenBy, notVisibleIn } from './delivery-list.ts'
import { toDelivery, toRow } from './delivery-row.ts'

const sortings: Record<string, Sorting> = {
  createdAt: { by: deliveries.createdAt, type: 'timestamptz' },
  offer: { by: deliveries.pesewas, type: 'int' },
}

const finished: Status[] = ['Approved', 'Cancelled']

export function deliveriesOver(db: Db): Deliveries {
  const row = () => db.select().from(deliveries)
  return {
    async get(id) {
      const [found] = await row().where(eq(deliveries.id, id))
      return found && toDelivery(found)
    },
    async lock(id) {
      const [found] = await row().where(eq(deliveries.id, id)).for('no key update')
      return found && toDelivery(found)
    },
    async add(delivery) {
      const [added] = await db.insert(deliveries).values(toRow(delivery)).returning()
      return toDelivery(existing(added))
    },
    async save(delivery) {
      // The hashes are the create's: no change of a delivery names the recipient's.
      const { id, handoverHash: _, trackHash: __, ...change } = toRow(delivery)
      const [saved] = await db
        .update(deliveries)
        .set(change)
        .where(eq(deliveries.id, id))
        .returning()
      return toDelivery(existing(saved))
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
    list: (list, page, since) => listDeliveries(db, list, page, since),
    async countByStatus(list, search) {
      const counted = await db
        .select({ status: deliveries.status, total: countRows() })
        .from(deliveries)
        .where(and(isFor(list), matchesReference(deliveries, search)))
        .groupBy(deliveries.status)
      return Object.fromEntries(counted.map(({ status, total }) => [status, total]))
    },
  }
}

/**
 * One page of a list. With a valid cursor in `since`, the rows that changed after it, and the
 * IDs of those that left the list (R73).
 */
async function listDeliveries(
  db: Db,
  list: DeliveryList,
  page: Page,
  since: string | undefined,
): Promise<DeliveryPage> {
  // Read before the rows: a change that commits in between is newer than the cursor, and comes again.
  const { cursor, from } = await currentCursor(db, since)
  const { order, position, after } = keysetPage(sortings, '-createdAt', page, deliveries.id)
  const found = await db
    .select({ row: deliveries, position, id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        from === undefined ? isFor(list) : everInList(list, from),
        matchesReference(deliveries, page.search),
        after,
        from === undefined ? hasStatus(list) : notVisibleIn(deliveries.changed, from),
      ),
    )
    .orderBy(...order)
    .limit(page.limit + 1)
  const { rows, next } = splitPage(found, page.limit)
  const stored = rows.map(toDelivery)
  if (from === undefined) return { rows: stored, cursor, next }
  const isInList = (delivery: Delivery) =>
    (!list.statuses || list.statuses.includes(delivery.status)) && isStillDrivenBy(list, delivery)
  const removed = stored.filter((delivery) => !isInList(delivery)).map(({ ID }) => ID)
  return { rows: stored.filter(isInList), removed, cursor, next }
}
