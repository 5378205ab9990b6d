import {
  type AnyColumn,
  and,
  asc,
  eq,
  gte,
  inArray,
  isNull,
  ne,
  not,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Delivery, Status } from '#domain/delivery.ts'
import { toCedis, toPesewas } from '#domain/money.ts'
import type { Deliveries, DeliveryList, GuestTokens, StoredDelivery } from '../../ports/repo.ts'
import { total } from '../accounts/users.ts'
import { all, type Db, keysetPage, matchesSearch, type Sorting, splitPage } from '../paging.ts'
import { deliveries, guestTokens } from '../tables.ts'

type Row = typeof deliveries.$inferSelect

const sortings: Record<string, Sorting> = {
  createdAt: { by: deliveries.createdAt, type: 'timestamptz' },
  offer: { by: deliveries.pesewas, type: 'int' },
}

const finished: Status[] = ['Approved', 'Cancelled']

/** `epoch` names this database: a cursor of another one says nothing here. */
export function deliveriesOver(db: Db, epoch: () => Promise<string>): Deliveries {
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
      return toDelivery(sure(added))
    },
    async save(delivery) {
      const { id, ...change } = toRow(delivery)
      const [saved] = await db
        .update(deliveries)
        .set(change)
        .where(eq(deliveries.id, id))
        .returning()
      return toDelivery(sure(saved))
    },
    async lockUnfinishedOf(userId) {
      const theirs = or(eq(deliveries.senderId, userId), eq(deliveries.driverId, userId))
      const rows = await row()
        .where(and(theirs, notInArray(deliveries.status, finished)))
        .orderBy(asc(deliveries.id))
        .for('no key update')
      return rows.map(toDelivery)
    },
    async list(list, page, since) {
      // Read before the rows: what commits in between is then newer than the cursor, and told again.
      const { cursor, from } = await cursorNow(db, await epoch(), since)
      const { order, place, past } = keysetPage(sortings, '-createdAt', page, deliveries.id)
      const found = await db
        .select({ row: deliveries, place, id: deliveries.id })
        .from(deliveries)
        .where(
          all(
            from === undefined ? always(list) : everIn(list, from),
            matchesSearch(deliveries, page.search),
            past,
            from === undefined ? inStatus(list) : notSeenIn(deliveries.changed, from),
          ),
        )
        .orderBy(...order)
        .limit(page.limit + 1)
      const { rows, next } = splitPage(found, page.limit)
      const stored = rows.map(toDelivery)
      if (from === undefined) return { rows: stored, cursor, next }
      const stays = (delivery: Delivery) =>
        (!list.statuses || list.statuses.includes(delivery.status)) && isCarriedFor(list, delivery)
      const removed = stored.filter((delivery) => !stays(delivery)).map(({ ID }) => ID)
      return { rows: stored.filter(stays), removed, cursor, next }
    },
    async count(list, search) {
      const wanted = all(always(list), inStatus(list), matchesSearch(deliveries, search))
      const [found] = await db.select({ total: total() }).from(deliveries).where(wanted)
      return found?.total ?? 0
    },
  }
}

const hasEnded = (before: string) =>
  sql`(${deliveries.status} in ('Approved', 'Cancelled') and ${deliveries.updatedAt} < ${before}::timestamptz)`

export function guestTokensOver(db: Db): GuestTokens {
  return {
    async add(hash, deliveryId) {
      await db.insert(guestTokens).values({ hash, deliveryId })
    },
    async find(hash, endedBefore) {
      const [found] = await db
        .select({ id: deliveries.id })
        .from(guestTokens)
        .innerJoin(deliveries, eq(deliveries.id, guestTokens.deliveryId))
        .where(and(eq(guestTokens.hash, hash), not(hasEnded(endedBefore))))
      return found?.id
    },
    async sweep(endedBefore) {
      const ended = db.select({ id: deliveries.id }).from(deliveries).where(hasEnded(endedBefore))
      await db.delete(guestTokens).where(inArray(guestTokens.deliveryId, ended))
    },
  }
}

/**
 * A cursor is the snapshot it was taken in: what it did not see is what changed since. Timestamps,
 * sequences and the newest transaction cannot say that of a row that commits late.
 */
async function cursorNow(db: Db, epoch: string, since: string | undefined) {
  const { rows } = await db.execute<{ snapshot: string }>(
    sql`select pg_current_snapshot()::text as snapshot`,
  )
  const { snapshot } = sure(rows[0])
  const [, xmax = '0'] = snapshot.split(':')
  const [theirs, from] = since?.match(/^([0-9a-f]{16})-(\d{1,19}:\d{1,19}:[\d,]*)$/)?.slice(1) ?? []
  const ours = theirs === epoch && from !== undefined && BigInt(xminOf(from)) <= BigInt(xmax)
  return { cursor: `${epoch}-${snapshot}`, from: ours ? from : undefined }
}

/** Of a snapshot `xmin:xmax:transactions under way`: the oldest transaction that was still open. */
const xminOf = (snapshot: string): string => snapshot.split(':')[0] ?? ''

/** Written by a transaction that was not committed when this snapshot was taken. */
const notSeenIn = (column: AnyColumn, snapshot: string) =>
  and(
    // For the index: whatever was not committed then is at or above the oldest that was open.
    gte(column, sql<string>`${xminOf(snapshot)}::xid8`),
    sql`not pg_visible_in_snapshot(${column}, ${snapshot}::pg_snapshot)`,
  )

/** What is in the list now, or left it after this snapshot, so that its reader could see it. */
function everIn(list: DeliveryList, from: string): SQL | undefined {
  const { of } = list
  if (of === 'everyone') return undefined
  if ('driver' in of)
    return or(eq(deliveries.driverId, of.driver), eq(deliveries.releasedFrom, of.driver))
  if ('forDriver' in of)
    return and(always(list), or(inStatus(list), notSeenIn(deliveries.leftPending, from)))
  return always(list)
}

/** False for a job that was taken from the driver whose list this is. */
const isCarriedFor = ({ of }: DeliveryList, { driver }: Delivery): boolean =>
  of === 'everyone' || !('driver' in of) || driver?.id === of.driver

/** The part of a list that a change of status leaves as it is. */
function always({ of }: DeliveryList): SQL | undefined {
  if (of === 'everyone') return undefined
  if ('sender' in of) return eq(deliveries.senderId, of.sender)
  if ('party' in of) return or(eq(deliveries.senderId, of.party), eq(deliveries.driverId, of.party))
  if ('driver' in of) return eq(deliveries.driverId, of.driver)
  return and(
    or(isNull(deliveries.senderId), ne(deliveries.senderId, of.forDriver)),
    of.pickupZone === undefined ? undefined : eq(deliveries.pickupZone, of.pickupZone),
    of.dropoffZone === undefined ? undefined : eq(deliveries.dropoffZone, of.dropoffZone),
  )
}

const inStatus = ({ statuses }: DeliveryList) =>
  statuses && inArray(deliveries.status, [...statuses])

function toDelivery(row: Row): StoredDelivery {
  return {
    ...{ ID: row.id, status: row.status, itemDescription: row.itemDescription },
    ...{ pickupZone: row.pickupZone, dropoffZone: row.dropoffZone, offer: toCedis(row.pesewas) },
    itemPhoto: row.itemPhoto ?? undefined,
    proofOfDelivery: row.proofOfDelivery ?? undefined,
    ...{ recipientName: row.recipientName, recipientPhone: row.recipientPhone },
    ...{ deliveryCode: row.deliveryCode, isGuestDelivery: row.isGuest },
    ...{ senderName: row.senderName, senderPhone: row.senderPhone },
    sender: row.sender ?? undefined,
    driver: row.driver ?? undefined,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    history: row.history,
    version: row.version,
  }
}

function toRow(delivery: Delivery) {
  return {
    ...{ id: delivery.ID, status: delivery.status, itemDescription: delivery.itemDescription },
    ...{ pickupZone: delivery.pickupZone, dropoffZone: delivery.dropoffZone },
    pesewas: toPesewas(delivery.offer),
    itemPhoto: delivery.itemPhoto ?? null,
    proofOfDelivery: delivery.proofOfDelivery ?? null,
    recipientName: delivery.recipientName ?? '',
    recipientPhone: delivery.recipientPhone ?? '',
    deliveryCode: delivery.deliveryCode ?? '',
    isGuest: delivery.isGuestDelivery,
    senderName: delivery.senderName ?? '',
    senderPhone: delivery.senderPhone ?? '',
    senderId: delivery.sender?.id ?? null,
    sender: delivery.sender ?? null,
    driverId: delivery.driver?.id ?? null,
    driver: delivery.driver ?? null,
    history: delivery.history ?? [],
    createdAt: new Date(delivery.createdAt),
    updatedAt: new Date(delivery.updatedAt),
  }
}

function sure<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The database gave no row back')
  return value
}
