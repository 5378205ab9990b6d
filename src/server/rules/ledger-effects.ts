import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Stores } from '../ports/repo.ts'
import type { Secrets } from '../ports/secrets.ts'
import { refund, release } from './ledger.ts'

/** Posts the transfer that ends a delivery, in its transaction: to the driver, or back to the sender (R41). */
export async function applyLedgerEffects(
  stores: Stores,
  secrets: Secrets,
  after: Delivery,
  before: Delivery,
): Promise<void> {
  if (after.status === before.status) return
  if (after.status === 'Approved') await stores.ledger.post(release(after, secrets.id()))
  if (after.status !== 'Cancelled') return
  await stores.ledger.post(refund(after, secrets.id()))
  const { itemDescription, pickupZone, dropoffZone, updatedAt } = after
  const Message = `Cancelled: ${itemDescription}, ${pickupZone} to ${dropoffZone}`
  const activity = { ID: secrets.id(), Type: 'other', Message, CreatedAt: updatedAt }
  await stores.activities.add(activity)
}
