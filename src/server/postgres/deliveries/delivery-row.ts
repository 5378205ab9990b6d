import { getTableColumns, sql } from 'drizzle-orm'
import { isLockedAfter } from '#domain/deliveries/handover/delivery-code.ts'
import { toCedis, toPesewas } from '#domain/money.ts'
import type { NewDelivery, StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { deliveries } from '../tables.ts'

/** All columns but the marks of cursors (R73). */
type Row = Omit<typeof deliveries.$inferSelect, 'changed' | 'leftPending' | 'releasedFrom'>

/** The row as the server handles it: money in cedis, times in ISO 8601. */
export function toDelivery(row: Row): StoredDelivery {
  const attempts = row.incidents.filter(({ kind }) => kind === 'attempt').length
  return {
    ID: row.id,
    status: row.status,
    itemDescription: row.itemDescription,
    note: row.note ?? undefined,
    size: row.size ?? undefined,
    fragile: row.fragile || undefined,
    pickupZone: row.pickupZone,
    dropoffZone: row.dropoffZone,
    offer: toCedis(row.pesewas),
    itemPhoto: row.itemPhoto ?? undefined,
    proofOfDelivery: row.proofOfDelivery ?? undefined,
    recipientName: row.recipientName,
    recipientPhone: row.recipientPhone,
    deliveryCode: row.deliveryCode,
    wrongCodes: row.wrongCodes || undefined,
    newCodes: row.newCodes || undefined,
    codeLocked: isLockedAfter(row.wrongCodes) || undefined,
    isGuestDelivery: row.isGuest,
    senderName: row.senderName,
    senderPhone: row.senderPhone,
    sender: row.sender ?? undefined,
    driver: row.driver ?? undefined,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    history: row.history,
    pickupPlace: row.pickupPlace ?? undefined,
    dropoffPlace: row.dropoffPlace ?? undefined,
    handoverHash: row.handoverHash ?? undefined,
    trackHash: row.trackHash ?? undefined,
    attempts: attempts || undefined,
    incidents: row.incidents.length > 0 ? row.incidents : undefined,
    returnFrom: row.returnFrom?.toISOString(),
    returning: row.returning ?? undefined,
    returnCode: row.returnCode ?? undefined,
    dueAt: row.dueAt?.toISOString(),
    disputed: row.disputed || undefined,
    outcome: row.outcome ?? undefined,
    driverShare: row.driverShare === null ? undefined : toCedis(row.driverShare),
    tip: toCedis(row.tip) || undefined,
    decision: row.decision ?? undefined,
    refund: row.refund ?? undefined,
    refundDueAt: row.refundDueAt?.toISOString(),
    contested: row.contested || undefined,
    withheld: row.withheld || undefined,
    payments: row.payments ?? undefined,
    paidBy: row.paidBy ?? undefined,
    payment: row.payment ?? undefined,
    payout: row.payout ?? undefined,
    feePercent: row.feePercent || undefined,
    ratings: Object.keys(row.ratings).length > 0 ? row.ratings : undefined,
    version: row.version,
  }
}

/** The columns of a delivery: money in pesewas. */
export function toRow(delivery: NewDelivery) {
  const { driverShare, tip = 0 } = delivery
  return {
    id: delivery.ID,
    status: delivery.status,
    itemDescription: delivery.itemDescription,
    note: delivery.note ?? null,
    size: delivery.size ?? null,
    fragile: delivery.fragile ?? false,
    pickupZone: delivery.pickupZone,
    dropoffZone: delivery.dropoffZone,
    pesewas: toPesewas(delivery.offer),
    itemPhoto: delivery.itemPhoto ?? null,
    proofOfDelivery: delivery.proofOfDelivery ?? null,
    recipientName: delivery.recipientName ?? '',
    recipientPhone: delivery.recipientPhone ?? '',
    deliveryCode: delivery.deliveryCode ?? '',
    wrongCodes: delivery.wrongCodes ?? 0,
    newCodes: delivery.newCodes ?? 0,
    isGuest: delivery.isGuestDelivery,
    senderName: delivery.senderName ?? '',
    senderPhone: delivery.senderPhone ?? '',
    senderId: delivery.sender?.id ?? null,
    sender: delivery.sender ?? null,
    driverId: delivery.driver?.id ?? null,
    driver: delivery.driver ?? null,
    history: delivery.history ?? [],
    pickupPlace: delivery.pickupPlace ?? null,
    dropoffPlace: delivery.dropoffPlace ?? null,
    handoverHash: delivery.handoverHash ?? null,
    trackHash: delivery.trackHash ?? null,
    incidents: delivery.incidents ?? [],
    returnFrom: toDate(delivery.returnFrom),
    returning: delivery.returning ?? null,
    returnCode: delivery.returnCode ?? null,
    dueAt: toDate(delivery.dueAt),
    disputed: delivery.disputed ?? false,
    outcome: delivery.outcome ?? null,
    driverShare: driverShare === undefined ? null : toPesewas(driverShare),
    tip: toPesewas(tip),
    decision: delivery.decision ?? null,
    ratings: delivery.ratings ?? {},
    refund: delivery.refund ?? null,
    refundDueAt: toDate(delivery.refundDueAt),
    contested: delivery.contested ?? false,
    withheld: delivery.withheld ?? false,
    payments: delivery.payments ?? null,
    paidBy: delivery.paidBy ?? null,
    payment: delivery.payment ?? null,
    payout: delivery.payout ?? null,
    feePercent: delivery.feePercent ?? null,
    createdAt: new Date(delivery.createdAt),
    updatedAt: new Date(delivery.updatedAt),
  }
}

const toDate = (time: string | undefined) => (time === undefined ? null : new Date(time))

/** The columns that `toRow` gives. */
export const rowColumns = [
  'id',
  'status',
  'itemDescription',
  'note',
  'size',
  'fragile',
  'pickupZone',
  'dropoffZone',
  'pesewas',
  'itemPhoto',
  'proofOfDelivery',
  'recipientName',
  'recipientPhone',
  'deliveryCode',
  'wrongCodes',
  'newCodes',
  'isGuest',
  'senderName',
  'senderPhone',
  'senderId',
  'sender',
  'driverId',
  'driver',
  'history',
  'pickupPlace',
  'dropoffPlace',
  'handoverHash',
  'trackHash',
  'incidents',
  'returnFrom',
  'returning',
  'returnCode',
  'dueAt',
  'disputed',
  'outcome',
  'driverShare',
  'tip',
  'decision',
  'ratings',
  'refund',
  'refundDueAt',
  'contested',
  'withheld',
  'payments',
  'paidBy',
  'payment',
  'payout',
  'feePercent',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof ReturnType<typeof toRow>)[]

/** Those that a change may write. Some are the create's: no change names the recipient's hash. */
export const changingColumns = rowColumns.filter(
  (name) => !['id', 'handoverHash', 'trackHash', 'payments', 'feePercent'].includes(name),
)

const readColumns = Object.entries(getTableColumns(deliveries)).filter(
  ([name]) => name === 'version' || rowColumns.some((each) => each === name),
)

/**
 * The columns of a row, for a statement that Drizzle does not write: to write and to read some forty columns
 * takes it longer than PostgreSQL needs for the page.
 */
export const selectedColumns = sql.raw(
  readColumns.map(([name, column]) => `deliveries.${column.name} as "${name}"`).join(', '),
)

/** The delivery of a row that selected them. */
export function readDelivery(values: Record<string, unknown>): StoredDelivery {
  const row: Record<string, unknown> = {}
  for (const [name, column] of readColumns) {
    const value = values[name]
    row[name] = value === null ? null : column.mapFromDriverValue(value)
  }
  return toDelivery(row as Row)
}
