import { v7 } from 'uuid'
import type { Delivery } from '#domain/deliveries/delivery.ts'

/** A guest's delivery as it is added to a repo, with an ID of its own. */
export function newDelivery(): Delivery {
  const at = new Date().toISOString()
  return {
    ID: v7(),
    status: 'Pending',
    itemDescription: 'Documents',
    offer: 10,
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    isGuestDelivery: true,
    senderName: 'Kofi',
    createdAt: at,
    updatedAt: at,
    history: [],
  }
}
