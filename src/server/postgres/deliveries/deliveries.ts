import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  lt,
  lte,
  notInArray,
  or,
  sql,
} from 'drizzle-orm'
import { Status } from '#domain/deliveries/delivery.ts'
import { toCedis } from '#domain/money.ts'
import type { Deliveries, StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { type Db, existing } from '../db.ts'
import { insertOf, once, placeholdersOf } from '../prepared.ts'
import { deliveries } from '../tables.ts'
import { countByStatus, listCounted, listDeliveries } from './delivery-pages.ts'
import { changingColumns, rowColumns, toDelivery, toRow } from './delivery-row.ts'

const finished: Status[] = ['Approved', 'Cancelled']
const live = Status.options.filter((status) => !finished.includes(status))
const liveFirst = sql`case ${deliveries.status} when 'Pending' then 1 when 'Approved' then 2 when 'Cancelled' then 2 else 0 end`

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
      const isDue = and(lte(deliveries.dueAt, new Date(at)), eq(deliveries.disputed, false))
      const rows = await row()
        .where(or(isDue, lte(deliveries.refundDueAt, new Date(at))))
        .orderBy(asc(sql`least(${deliveries.dueAt}, ${deliveries.refundDueAt})`))
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
        .orderBy(liveFirst, desc(deliveries.createdAt), desc(deliveries.id))
        .limit(50)
      return rows.map(toDelivery)
    },
    async countOpenOfGuest(phone) {
      const isOpen = notInArray(deliveries.status, finished)
      const [found] = await db
        .select({ open: count() })
        .from(deliveries)
        .where(and(eq(deliveries.isGuest, true), eq(deliveries.senderPhone, phone), isOpen))
      return existing(found).open
    },
    async hasCountedRating({ side, driver, sender }, since) {
      const isSender = or(
        eq(deliveries.senderPhone, sender.phone),
        sender.id === undefined ? undefined : eq(deliveries.senderId, sender.id),
      )
      const rating = sql`${deliveries.ratings} -> ${side}::text`
      const [found] = await db
        .select({ id: deliveries.id })
        .from(deliveries)
        .where(
          and(
            eq(deliveries.driverId, driver),
            isSender,
            sql`${rating} ->> 'at' > ${since}`,
            sql`coalesce(${rating} ->> 'counted', 'true') = 'true'`,
          ),
        )
        .limit(1)
      return found !== undefined
    },
    async uncountedOfGuest(phone) {
      const rows = await row()
        .where(
          and(
            eq(deliveries.isGuest, true),
            eq(deliveries.senderPhone, phone),
            sql`${deliveries.ratings} -> 'sender' ->> 'counted' = 'false'`,
          ),
        )
        .orderBy(asc(deliveries.id))
        .limit(50)
      return rows.map(toDelivery)
    },
    async countReleased(driverId) {
      const [found] = await db
        .select({ released: count() })
        .from(deliveries)
        .where(eq(deliveries.releasedFrom, driverId))
      return existing(found).released
    },
    async lockUnfinishedOf(userId) {
      const theirs = or(eq(deliveries.senderId, userId), eq(deliveries.driverId, userId))
      const rows = await row()
        .where(and(theirs, notInArray(deliveries.status, finished)))
        .orderBy(asc(deliveries.id))
        .for('no key update')
      return rows.map(toDelivery)
    },
    async approvedOffers(limit, route) {
      const ofRoute = route && [
        eq(deliveries.pickupZone, route.pickupZone),
        eq(deliveries.dropoffZone, route.dropoffZone),
        gte(deliveries.createdAt, new Date(route.since)),
      ]
      const rows = await db
        .select({
          pesewas: deliveries.pesewas,
          pickupZone: deliveries.pickupZone,
          dropoffZone: deliveries.dropoffZone,
          senderId: deliveries.senderId,
          senderPhone: deliveries.senderPhone,
        })
        .from(deliveries)
        .where(and(eq(deliveries.status, 'Approved'), ...(ofRoute ?? [])))
        .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
        .limit(limit)
      return rows.map(({ pesewas, senderId, ...rest }) => ({
        ...rest,
        senderId: senderId ?? undefined,
        offer: toCedis(pesewas),
      }))
    },
    async earnedBy(driverId, changedSince, createdBefore) {
      const rows = await row().where(
        and(
          eq(deliveries.driverId, driverId),
          inArray(deliveries.status, ['Delivered', ...finished]),
          gte(deliveries.updatedAt, new Date(changedSince)),
          lt(deliveries.createdAt, new Date(createdBefore)),
        ),
      )
      return rows.map(toDelivery)
    },
    async countLive(of) {
      const uses =
        'item' in of
          ? eq(deliveries.itemDescription, of.item)
          : or(
              inArray(deliveries.pickupZone, [...of.zones]),
              inArray(deliveries.dropoffZone, [...of.zones]),
            )
      const [found] = await db
        .select({ using: count() })
        .from(deliveries)
        .where(and(inArray(deliveries.status, live), uses))
      return existing(found).using
    },
    list: (list, page, since) => listDeliveries(db, list, page, since),
    listCounted: (list, page, since) => listCounted(db, list, page, since),
    countByStatus: (list) => countByStatus(db, list),
  }
}

type Marks = { version: number; updatedAt: Date }

/** What the trigger `mark_changed` will write, so that nobody waits for the update. */
const marksAfter = (before: StoredDelivery, updatedAt: Date): Marks => ({
  version: before.version + 1,
  updatedAt: new Date(Math.max(updatedAt.getTime(), Date.parse(before.updatedAt) + 1)),
})

/** Throws when the trigger wrote something else: a row was changed without its lock. */
function assertMarked(saved: Marks, { version, updatedAt }: Marks) {
  if (saved.version !== version || saved.updatedAt.getTime() !== updatedAt.getTime())
    throw new Error('A delivery was changed that was not locked')
}
