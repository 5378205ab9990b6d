import type { Actor, Delivery } from '#domain/deliveries/delivery.ts'
import { type Dispute, publicDispute } from '#domain/deliveries/dispute.ts'
import { isLateReport } from '#domain/deliveries/endings/cancel-hold.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { visibleTo } from '../visibility.ts'
import { openDispute } from './open-disputes.ts'
import { saveDelivery } from './save-delivery.ts'

/** The text of the dispute, by which a second report finds it. */
const issue =
  'Reported after the cancel: what the driver did before it, without a network. The history shows it, and support decides about the payment.'

/**
 * Saves what the driver has done and returns the reply. What was done before a cancel and reported after it
 * gets 202, and one open dispute for all of it (R124).
 */
export async function saveByDriver(
  stores: Stores,
  secrets: Secrets,
  before: StoredDelivery,
  after: Delivery,
  by: Actor,
) {
  if (!isLateReport(before, after)) {
    const saved = await saveDelivery(stores, secrets, before, after, by)
    // A driver who gives back the job of a suspended sender reads what they leave (R199).
    const shown = { ...saved, withheld: undefined }
    return { body: { delivery: visibleTo(by, shown) }, subject: `${saved.ID}: ${saved.status}` }
  }
  const { dispute, saved } = await claim(stores, secrets, before, after, by)
  return { status: 202 as const, body: { delivery: visibleTo(by, saved), dispute } }
}

async function claim(
  stores: Stores,
  secrets: Secrets,
  before: StoredDelivery,
  change: Delivery,
  by: Actor,
): Promise<{ dispute: Dispute; saved: StoredDelivery }> {
  const reports = await stores.disputes.ofDelivery(before.ID)
  const open = reports.find((each) => each.status === 'open' && each.issue === issue)
  if (open)
    return {
      dispute: publicDispute(open),
      saved: await saveDelivery(stores, secrets, before, change, by),
    }
  const CreatedAt = change.updatedAt
  const report = { ID: secrets.id(), issue, side: 'driver' as const, at: CreatedAt }
  const opened = await openDispute(stores, secrets, before, report, { change, by })
  const Message = `Reported after the cancel: ${before.itemDescription}`
  await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt })
  return { dispute: opened.dispute, saved: opened.delivery }
}
