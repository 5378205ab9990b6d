import {
  type AnyColumn,
  and,
  eq,
  gte,
  inArray,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { type Delivery, isOnOffer } from '#domain/deliveries/delivery.ts'
import { isUnpaid as isUnpaidDelivery } from '#domain/deliveries/payment.ts'
import type { DeliveryList } from '../../ports/stores/delivery-stores.ts'
import { deliveries, isOffered, isUnpaid } from '../tables.ts'

/** The oldest open transaction of a snapshot `xmin:xmax:open transactions`. */
const oldestOpenOf = (snapshot: string): string => snapshot.split(':')[0] ?? ''

/** Rows written by a transaction that was not committed when this snapshot was taken. */
export const notVisibleIn = (column: AnyColumn, snapshot: string) =>
  and(
    // For the index: such a transaction is at or above the oldest open one.
    gte(column, sql<string>`${oldestOpenOf(snapshot)}::xid8`),
    sql`not pg_visible_in_snapshot(${column}, ${snapshot}::pg_snapshot)`,
  )

/** Rows that are in the list now, or left it after this snapshot: only those could the reader once see. */
export function everInList(list: DeliveryList, from: string): SQL | undefined {
  const { of } = list
  if (of !== 'everyone' && 'driver' in of)
    return and(
      or(
        eq(deliveries.driverId, of.driver),
        eq(deliveries.releasedFrom, of.driver),
        // It may have been taken from the next driver since.
        sql`${deliveries.incidents} @> ${JSON.stringify([{ kind: 'release', driver: of.driver }])}::jsonb`,
      ),
      isOnly(list),
    )
  if (of !== 'everyone' && 'forDriver' in of)
    return and(isFor(list), or(hasStatus(list), notVisibleIn(deliveries.leftPending, from)))
  return isFor(list)
}

/** False for a job that was taken from the driver of this list. */
export const isStillDrivenBy = ({ of }: DeliveryList, { driver }: Delivery): boolean =>
  of === 'everyone' || !('driver' in of) || driver?.id === of.driver

/** Rows of the list whatever their status. */
export const isFor = (list: DeliveryList): SQL | undefined => and(isOf(list), isOnly(list))

function isOf({ of }: DeliveryList): SQL | undefined {
  if (of === 'everyone') return undefined
  if ('sender' in of) return eq(deliveries.senderId, of.sender)
  if ('party' in of) return or(eq(deliveries.senderId, of.party), eq(deliveries.driverId, of.party))
  if ('driver' in of) return eq(deliveries.driverId, of.driver)
  return or(isNull(deliveries.senderId), ne(deliveries.senderId, of.forDriver))
}

function isOnly({ only = {} }: DeliveryList): SQL | undefined {
  const { pickupZone, dropoffZone, createdFrom, createdBefore } = only
  return and(
    pickupZone === undefined ? undefined : eq(deliveries.pickupZone, pickupZone),
    dropoffZone === undefined ? undefined : eq(deliveries.dropoffZone, dropoffZone),
    createdFrom === undefined ? undefined : gte(deliveries.createdAt, new Date(createdFrom)),
    createdBefore === undefined ? undefined : lt(deliveries.createdAt, new Date(createdBefore)),
  )
}

/** Of jobs for drivers, only those on offer (R173, R199). */
export const hasStatus = ({ of, statuses, unpaid }: DeliveryList) =>
  and(
    statuses && inArray(deliveries.status, [...statuses]),
    of !== 'everyone' && 'forDriver' in of ? isOffered : undefined,
    unpaid === undefined ? undefined : sql`${isUnpaid} = ${unpaid}`,
  )

/** As `hasStatus`, for a row. */
export const isInStatus = ({ of, statuses, unpaid }: DeliveryList, delivery: Delivery): boolean =>
  (!statuses || statuses.includes(delivery.status)) &&
  (of === 'everyone' || !('forDriver' in of) || isOnOffer(delivery)) &&
  (unpaid === undefined || isUnpaidDelivery(delivery) === unpaid)
