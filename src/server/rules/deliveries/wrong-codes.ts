import { countWrongCode, isToldOf } from '#domain/deliveries/handover/delivery-code.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { saveDelivery } from './save-delivery.ts'

/** Counts a wrong code of a locked delivery, and tells its sender and the office of the fifth and the last (R135). */
export async function noteWrongCode(
  stores: Stores,
  secrets: Secrets,
  before: StoredDelivery,
  at: string,
): Promise<void> {
  const saved = await saveDelivery(stores, secrets, before, countWrongCode(before))
  if (!isToldOf(saved)) return
  const { wrongCodes, codeLocked, itemDescription, driver } = saved
  const Message = `${wrongCodes} wrong delivery codes by ${driver?.name}: ${itemDescription}${codeLocked ? ', its code is locked' : ''}`
  await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
}
