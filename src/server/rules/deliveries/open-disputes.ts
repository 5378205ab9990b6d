import type { Actor, Delivery } from '#domain/deliveries/delivery.ts'
import type { Dispute } from '#domain/deliveries/dispute.ts'
import { issueOf, publicDispute, reporterOf, type Side } from '#domain/deliveries/dispute.ts'
import { notifyOffice } from '../../notifications/notify.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { saveDelivery } from './save-delivery.ts'

/** A report for one side. `reporter`: the person's name; missing where the server reports without one. */
export type Report = { ID: string; issue: string; side: Side; at: string; reporter?: string }

/**
 * Opens a dispute about a delivery that this transaction has locked, which then is not approved (R32, R108).
 * Whose side it was is stored with it (R128). `change`: what else changes of the delivery; `by`: who has made that
 * change. Returns the dispute, and the delivery as it is saved.
 */
export async function openDispute(
  stores: Stores,
  secrets: Secrets,
  delivery: StoredDelivery,
  { ID, issue, side, at, reporter }: Report,
  { change = delivery, by }: { change?: Delivery; by?: Actor } = {},
): Promise<{ dispute: Dispute; delivery: StoredDelivery }> {
  const dispute = {
    ID,
    DeliveryID: delivery.ID,
    issue,
    type: issueOf(side),
    priority: 'medium',
    CreatedAt: at,
    reportedBy: delivery[side]?.id,
    reporterName: reporter,
  }
  await stores.disputes.add(dispute)
  await stores.publish({ about: 'disputes', id: ID, to: [], admins: true })
  await notifyOffice(stores, { kind: 'office-dispute', deliveryId: delivery.ID, at, by })
  const after = { ...change, disputed: true, updatedAt: at }
  const saved = await saveDelivery(stores, secrets, delivery, after, by)
  const { reporterName: _, ...stored } = dispute
  const reported = { ...stored, status: 'open' as const, reporter: reporterOf(dispute) }
  return { dispute: publicDispute(reported), delivery: saved }
}
