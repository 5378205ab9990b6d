import type { Delivery } from '#domain/delivery.ts'
import type { NewDispute } from '#server/ports/repo.ts'
import { troubles } from '../dispute-texts.ts'
import type { Dice } from '../random.ts'
import { idAt, iso } from './deliveries.ts'

export type PastDispute = {
  report: NewDispute
  /** What the delivery was of. */
  item: string
  resolved?: { resolution: string; at: string }
}

const hour = 60 * 60_000
const [open, resolved] = [5, 9]

/** Disputes about deliveries that had a driver: the newest still open, older ones resolved. Oldest first. */
export function imagineDisputes(dice: Dice, now: number, deliveries: Delivery[]): PastDispute[] {
  const driven = deliveries.filter(({ driver, status }) => driver && status !== 'Accepted')
  const lately = driven.slice(-3 * open)
  const before = driven.slice(0, -3 * open)
  const about = [...some(dice, before, resolved), ...some(dice, lately, open)]
  return about.map((delivery, place) => {
    const guest = delivery.isGuestDelivery
    const type = guest || dice.chance(0.6) ? 'sender_issue' : 'driver_issue'
    const kind = troubles[type]
    const trouble = kind[place % kind.length] ?? dice.pick(kind)
    const after = Date.parse(delivery.updatedAt)
    const made = after + dice.between(0.05, 0.9) * Math.min(6 * hour, now - after)
    const CreatedAt = iso(made)
    const at = iso(made + dice.between(1, 20) * hour)
    return {
      report: {
        ...{ ID: idAt(dice, made), DeliveryID: delivery.ID, issue: trouble.issue, type },
        ...{ priority: 'medium', CreatedAt },
      },
      item: delivery.itemDescription,
      ...(place < resolved && Date.parse(at) < now
        ? { resolved: { resolution: trouble.resolution, at } }
        : {}),
    }
  })
}

/** So many of them, spread over the list, in its order. */
const some = (dice: Dice, deliveries: Delivery[], count: number): Delivery[] => {
  const stride = deliveries.length / count
  return Array.from({ length: count }, (_, place) =>
    dice.pick(deliveries.slice(Math.floor(place * stride), Math.floor((place + 1) * stride))),
  )
}
