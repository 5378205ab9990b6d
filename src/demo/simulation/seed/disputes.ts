import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { NewDispute } from '#server/ports/stores/record-stores.ts'
import { disputeTexts } from '../dispute-texts.ts'
import type { Random } from '../random.ts'
import { isoTime, uuidAt } from './deliveries.ts'

export type SeedDispute = {
  report: NewDispute
  /** The description of the delivery's item. */
  item: string
  resolved?: { resolution: string; at: string }
}

const hour = 60 * 60_000
const counts = { open: 5, resolved: 9 }

/**
 * Disputes about deliveries that have a driver, oldest first: those about older deliveries are
 * resolved, those about the newest are open. `deliveries` are oldest first; `now` is milliseconds.
 */
export function generateDisputes(
  random: Random,
  now: number,
  deliveries: Delivery[],
): SeedDispute[] {
  const withDriver = deliveries.filter(({ driver, status }) => driver && status !== 'Accepted')
  const recent = withDriver.slice(-3 * counts.open)
  const older = withDriver.slice(0, -3 * counts.open)
  const disputed = [
    ...sample(random, older, counts.resolved),
    ...sample(random, recent, counts.open),
  ]
  return disputed.map((delivery, index) => {
    const isBySender = delivery.isGuestDelivery || random.chance(0.6)
    const type = isBySender ? 'sender_issue' : 'driver_issue'
    const texts = disputeTexts[type]
    const { issue, resolution } = texts[index % texts.length] ?? random.pick(texts)
    const updated = Date.parse(delivery.updatedAt)
    const made = updated + random.between(0.05, 0.9) * Math.min(6 * hour, now - updated)
    const CreatedAt = isoTime(made)
    const at = isoTime(made + random.between(1, 20) * hour)
    const isResolved = index < counts.resolved && Date.parse(at) < now
    return {
      report: {
        ID: uuidAt(random, made),
        DeliveryID: delivery.ID,
        issue,
        type,
        priority: 'medium',
        CreatedAt,
        reportedBy: (isBySender ? delivery.sender : delivery.driver)?.id,
        reporterName: isBySender ? delivery.senderName : delivery.driver?.name,
      },
      item: delivery.itemDescription,
      ...(isResolved ? { resolved: { resolution, at } } : {}),
    }
  })
}

/** `count` deliveries spread evenly over the list, in its order. */
const sample = (random: Random, deliveries: Delivery[], count: number): Delivery[] => {
  const stride = deliveries.length / count
  return Array.from({ length: count }, (_, index) =>
    random.pick(deliveries.slice(Math.floor(index * stride), Math.floor((index + 1) * stride))),
  )
}
