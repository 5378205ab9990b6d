import { type AnyColumn, and, eq, gte, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Delivery } from '#domain/delivery.ts'
import type { DeliveryList } from '../../ports/repo.ts'
import { type Db, existing } from '../db.ts'
import { deliveries } from '../tables.ts'

/**
 * A cursor is the snapshot it was taken in: what it did not see is what changed since. Timestamps,
 * sequences and the newest transaction cannot say that of a row that commits late.
 */
export async function currentCursor(db: Db, epoch: string, since: string | undefined) {
  const { rows } = await db.execute<{ snapshot: string }>(
    sql`select pg_current_snapshot()::text as snapshot`,
  )
  const { snapshot } = existing(rows[0])
  const [, xmax = '0'] = snapshot.split(':')
  const [theirs, from] = since?.match(/^([0-9a-f]{16})-(\d{1,19}:\d{1,19}:[\d,]*)$/)?.slice(1) ?? []
  const ours = theirs === epoch && from !== undefined && BigInt(oldestOpenOf(from)) <= BigInt(xmax)
  return { cursor: `${epoch}-${snapshot}`, from: ours ? from : undefined }
}

/** Of a snapshot `xmin:xmax:transactions under way`: the oldest transaction that was still open. */
const oldestOpenOf = (snapshot: string): string => snapshot.split(':')[0] ?? ''

/** Written by a transaction that was not committed when this snapshot was taken. */
export const notVisibleIn = (column: AnyColumn, snapshot: string) =>
  and(
    // For the index: whatever was not committed then is at or above the oldest that was open.
    gte(column, sql<string>`${oldestOpenOf(snapshot)}::xid8`),
    sql`not pg_visible_in_snapshot(${column}, ${snapshot}::pg_snapshot)`,
  )

/** What is in the list now, or left it after this snapshot, so that its reader could see it. */
export function everInList(list: DeliveryList, from: string): SQL | undefined {
  const { of } = list
  if (of === 'everyone') return undefined
  if ('driver' in of)
    return or(eq(deliveries.driverId, of.driver), eq(deliveries.releasedFrom, of.driver))
  if ('forDriver' in of)
    return and(isFor(list), or(hasStatus(list), notVisibleIn(deliveries.leftPending, from)))
  return isFor(list)
}

/** False for a job that was taken from the driver whose list this is. */
export const isStillDrivenBy = ({ of }: DeliveryList, { driver }: Delivery): boolean =>
  of === 'everyone' || !('driver' in of) || driver?.id === of.driver

/** The part of a list that a change of status leaves as it is. */
export function isFor({ of }: DeliveryList): SQL | undefined {
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

export const hasStatus = ({ statuses }: DeliveryList) =>
  statuses && inArray(deliveries.status, [...statuses])
