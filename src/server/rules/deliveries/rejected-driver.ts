import { returnToPending } from '#domain/deliveries/transitions.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { openDispute } from './open-disputes.ts'
import { saveDelivery } from './save-delivery.ts'

/**
 * Takes the jobs of a driver who was just rejected (R5) or suspended (R198). An accepted one returns to Pending. For a parcel
 * they already carry a dispute is opened, so that an admin decides.
 */
export async function releaseJobsOf(
  stores: Stores,
  secrets: Secrets,
  driverId: string,
  at: string,
  why: 'rejected' | 'suspended' = 'rejected',
): Promise<void> {
  for (const delivery of await stores.deliveries.lockUnfinishedOf(driverId)) {
    if (delivery.driver?.id !== driverId) continue
    if (delivery.status === 'Accepted')
      await saveDelivery(stores, secrets, delivery, returnToPending(delivery, { at }))
    if (delivery.status === 'Picked Up')
      await openDispute(stores, secrets, delivery, {
        ID: secrets.id(),
        issue: `The driver ${delivery.driver?.name} was ${why} while carrying this parcel.`,
        side: 'sender',
        at,
      })
  }
}
