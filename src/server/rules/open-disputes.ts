import type { Stores } from '../ports/repo.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { StoredDelivery } from '../ports/stores/deliveries.ts'
import type { NewDispute } from '../ports/stores/records.ts'
import { saveDelivery } from './save-delivery.ts'

/**
 * Opens a dispute about a delivery that this transaction has locked, which then is not approved (R32, R108).
 * Returns the delivery as it is saved.
 */
export async function openDispute(
  stores: Stores,
  secrets: Secrets,
  delivery: StoredDelivery,
  dispute: NewDispute,
): Promise<StoredDelivery> {
  await stores.disputes.add(dispute)
  await stores.publish({ about: 'disputes', id: dispute.ID, to: [], admins: true })
  const updatedAt = dispute.CreatedAt
  return saveDelivery(stores, secrets, delivery, { ...delivery, disputed: true, updatedAt })
}
