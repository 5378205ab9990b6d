import type { Delivery } from '#domain/deliveries/delivery.ts'
import { toCedis, toPesewas } from '#domain/money.ts'
import type { StoredDelivery } from '../../ports/repo.ts'
import type { deliveries } from '../tables.ts'

/** The row as the server handles it: money in cedis, times in ISO 8601. */
export function toDelivery(row: typeof deliveries.$inferSelect): StoredDelivery {
  return {
    ID: row.id,
    status: row.status,
    itemDescription: row.itemDescription,
    pickupZone: row.pickupZone,
    dropoffZone: row.dropoffZone,
    offer: toCedis(row.pesewas),
    itemPhoto: row.itemPhoto ?? undefined,
    proofOfDelivery: row.proofOfDelivery ?? undefined,
    recipientName: row.recipientName,
    recipientPhone: row.recipientPhone,
    deliveryCode: row.deliveryCode,
    isGuestDelivery: row.isGuest,
    senderName: row.senderName,
    senderPhone: row.senderPhone,
    sender: row.sender ?? undefined,
    driver: row.driver ?? undefined,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    history: row.history,
    version: row.version,
  }
}

/** The columns of a delivery: money in pesewas. */
export function toRow(delivery: Delivery) {
  return {
    id: delivery.ID,
    status: delivery.status,
    itemDescription: delivery.itemDescription,
    pickupZone: delivery.pickupZone,
    dropoffZone: delivery.dropoffZone,
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
