import { type Delivery, isActiveDelivery, isActiveJob } from '#domain/delivery.ts'
import { isApprovedDriver, type User } from '#domain/user.ts'
import type { Hands, View } from './city.ts'
import { troubles } from './dispute-texts.ts'
import type { Dice } from './random.ts'
import { applicantsToCome } from './residents.ts'

/** Something one of the city's people may do now. What a visitor waits for is `urgent`. */
export type Deed = { weight: number; urgent?: boolean; act: () => Promise<unknown> }

const second = 1_000
const minute = 60 * second

/** As many of each as the city adds up to; the visitor may add more. */
export const bounds = { pending: 24, applicants: 7, disputes: 8 }

/** So many jobs are left for a visitor who drives, and so many drivers for one who sends. */
const left = { jobs: 8, drivers: 2 }

/** All that may happen next in the city as it is. */
export function deedsIn(view: View, visitorWaits: boolean, dice: Dice, hands: Hands): Deed[] {
  const { folk, unfinished } = view
  const pending = unfinished.filter(({ status }) => status === 'Pending').length
  const free = folk.filter(
    (user) =>
      isApprovedDriver(user) &&
      !unfinished.some((each) => isActiveJob(each) && each.driver?.id === user.ID),
  )
  const steps = unfinished.flatMap((delivery) => {
    const accept = () => hands.accept(dice.pick(free), delivery)
    const driver = folk.find(({ ID }) => ID === delivery.driver?.id)
    if (delivery.status !== 'Pending') return goOn(view, delivery, driver, hands)
    if (view.isOfCity(delivery))
      return pending > left.jobs && free.length > left.drivers
        ? after(view, delivery, minute, { weight: 1, act: accept })
        : []
    // A visitor's request: theirs to play on with, unless they wait for somebody to come.
    return visitorWaits && free.length > 0
      ? after(view, delivery, 40 * second, { urgent: true, weight: 1, act: accept })
      : []
  })
  return [...steps, ...newThings(view, pending, dice, hands)]
}

/** What was taken is carried, handed over and approved; quicker where the visitor has a part in it. */
function goOn(view: View, delivery: Delivery, driver: User | undefined, hands: Hands): Deed[] {
  const ofCity = view.isOfCity(delivery)
  const urgent = !ofCity || !driver
  const next = (slow: number, quick: number, act: Deed['act']) =>
    after(view, delivery, urgent ? quick : slow, { weight: 2, urgent, act })
  if (delivery.status === 'Delivered')
    return ofCity ? next(minute, 15 * second, () => hands.approve(delivery)) : []
  if (!driver) return []
  return delivery.status === 'Accepted'
    ? next(2 * minute, 20 * second, () => hands.pickUp(driver, delivery))
    : next(3 * minute, 25 * second, () => hands.deliver(driver, delivery))
}

/** Requests, and seldom a change of mind, a new driver or a quarrel. */
function newThings(view: View, pending: number, dice: Dice, hands: Hands): Deed[] {
  const { folk, unfinished } = view
  const deeds: Deed[] = []
  const may = (weight: number, act: Deed['act']) => deeds.push({ weight, act })

  const idle = folk.filter(
    ({ ID, role }) =>
      role === 'sender' &&
      !unfinished.some((each) => isActiveDelivery(each) && each.sender?.id === ID),
  )
  if (idle.length > 0 && pending < bounds.pending)
    may(pending < 12 ? 6 : 2, () => hands.post(dice.pick(idle)))

  const tiredOf = unfinished.filter(
    (each) =>
      each.status === 'Pending' &&
      view.isOfCity(each) &&
      view.now - Date.parse(each.updatedAt) > 20 * minute,
  )
  if (tiredOf.length > 0 && pending > left.jobs) may(0.3, () => hands.cancel(dice.pick(tiredOf)))

  const newcomer = applicantsToCome.find(({ email }) => !view.emails.has(email))
  if (newcomer && view.applicants < bounds.applicants) may(0.4, () => hands.apply(newcomer))

  const quarrels = unfinished.flatMap((delivery) => {
    const driver = folk.find(({ ID }) => ID === delivery.driver?.id)
    const late = delivery.status === 'Picked Up' || delivery.status === 'Delivered'
    if (!driver || !late || !view.isOfCity(delivery) || view.disputed.has(delivery.ID)) return []
    return [{ delivery, driver }]
  })
  if (quarrels.length > 0 && view.disputed.size < bounds.disputes)
    may(0.3, () => {
      const { delivery, driver } = dice.pick(quarrels)
      const type = delivery.status === 'Delivered' ? 'sender_issue' : 'driver_issue'
      return hands.report(delivery, driver, type, dice.pick(troubles[type]).issue)
    })
  return deeds
}

const after = (view: View, delivery: Delivery, waited: number, deed: Deed): Deed[] =>
  view.now - Date.parse(delivery.updatedAt) >= waited ? [deed] : []

/** The one that happens: an urgent one, or chance by weight. */
export function likely(deeds: Deed[], dice: Dice): Deed | undefined {
  const urgent = deeds.find((deed) => deed.urgent)
  if (urgent) return urgent
  let left = dice.between(
    0,
    deeds.reduce((sum, { weight }) => sum + weight, 0),
  )
  return deeds.find(({ weight }) => {
    left -= weight
    return left < 0
  })
}
