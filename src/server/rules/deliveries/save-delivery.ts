import type { Actor, Delivery } from '#domain/deliveries/delivery.ts'
import { notifyOfChange } from '../../notifications/notify.ts'
import { deliveryChanged } from '../../ports/change-events.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { applyLedgerEffects, withPayout } from './ledger-effects.ts'

/**
 * Saves a changed delivery with what follows from the change, in its transaction: the money moves (R41), and
 * everybody who may know of it hears of it (R75), a driver who has lost it included. `by` made the change, and
 * is not told of it with the app closed (R115); missing where the server acts by itself.
 */
export async function saveDelivery(
  stores: Stores,
  secrets: Secrets,
  before: StoredDelivery,
  after: Delivery,
  by?: Actor,
): Promise<StoredDelivery> {
  const saved = await stores.deliveries.save(before, withPayout(after, before))
  await applyLedgerEffects(stores, secrets, saved, before)
  await stores.publish(deliveryChanged(saved, before))
  const former = before.driver && before.driver.id !== saved.driver?.id ? [before.driver.id] : []
  // A separate event: if the job is on offer again, the former driver gets the advert as any driver does (R95).
  if (former.length > 0) await stores.publish({ about: 'delivery', id: saved.ID, to: former })
  await notifyOfChange(stores, secrets, before, saved, by)
  return saved
}
