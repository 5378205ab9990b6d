import type { Delivery } from '#domain/deliveries/delivery.ts'
import { returnToPending } from '#domain/deliveries/transitions.ts'
import type { NewDispute, Stores } from '../ports/repo.ts'
import type { Secrets } from '../ports/secrets.ts'
import { deliveryChanged } from './change-events.ts'

/**
 * Takes the jobs of a driver who was just rejected (R5). An accepted one returns to Pending. For a parcel
 * they already carry a dispute is opened, so that an admin decides.
 */
export async function releaseJobsOf(
  stores: Stores,
  secrets: Secrets,
  driverId: string,
  at: string,
): Promise<void> {
  for (const delivery of await stores.deliveries.lockUnfinishedOf(driverId)) {
    if (delivery.driver?.id !== driverId) continue
    if (delivery.status === 'Accepted') await offerAgain(stores, delivery, at)
    if (delivery.status === 'Picked Up') await openDispute(stores, secrets, delivery, at)
  }
}

async function offerAgain(stores: Stores, delivery: Delivery, at: string) {
  const saved = await stores.deliveries.save(returnToPending(delivery, { at }))
  const event = deliveryChanged(saved, delivery)
  const former = delivery.driver ? [delivery.driver.id] : []
  await stores.publish({ ...event, to: [...event.to, ...former] })
}

async function openDispute(stores: Stores, secrets: Secrets, delivery: Delivery, at: string) {
  const dispute: NewDispute = {
    ID: secrets.id(),
    DeliveryID: delivery.ID,
    issue: `The driver ${delivery.driver?.name} was rejected while carrying this parcel.`,
    type: 'sender_issue',
    priority: 'medium',
    CreatedAt: at,
  }
  await stores.disputes.add(dispute)
  await stores.publish({ about: 'disputes', id: dispute.ID, to: [], admins: true })
}
