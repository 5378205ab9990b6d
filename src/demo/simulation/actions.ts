import {
  type Delivery,
  isActiveDelivery,
  isActiveJob,
  isOnOffer,
} from '#domain/deliveries/delivery.ts'
import { isApprovedDriver, type User } from '#domain/users/user.ts'
import type { CityActions, CityView } from './city.ts'
import type { Random } from './random.ts'

/** Something a resident may do now. `urgent`: a visitor waits for it. */
export type SimulatedAction = { weight: number; urgent?: boolean; act: () => Promise<unknown> }

const second = 1_000
const minute = 60 * second

/** Residents request nothing more above this count of pending deliveries; the visitor may. */
export const mostPending = 24

/** Jobs that are left for a visitor who drives, and free drivers for a visitor who sends. */
const reserved = { jobs: 8, drivers: 2 }

/** Every action that may happen next. `visitorWaits`: somebody should accept the visitor's request. */
export function possibleActions(
  view: CityView,
  visitorWaits: boolean,
  random: Random,
  city: CityActions,
): SimulatedAction[] {
  const { residents, unfinished } = view
  const pending = unfinished.filter(({ status }) => status === 'Pending').length
  const free = residents.filter(
    (user) =>
      isApprovedDriver(user) &&
      !unfinished.some((each) => isActiveJob(each) && each.driver?.id === user.ID),
  )
  const steps = unfinished.flatMap((delivery) => {
    const accept = () => city.accept(random.pick(free), delivery)
    const driver = residents.find(({ ID }) => ID === delivery.driver?.id)
    if (delivery.status !== 'Pending') return nextStep(view, delivery, driver, city)
    if (!isOnOffer(delivery)) return []
    if (view.isByResident(delivery))
      return pending > reserved.jobs && free.length > reserved.drivers
        ? after(view, delivery, minute, { weight: 1, act: accept })
        : []
    return visitorWaits && free.length > 0
      ? after(view, delivery, 40 * second, { urgent: true, weight: 1, act: accept })
      : []
  })
  const idle = idleSenders(view)
  if (idle.length === 0 || pending >= mostPending) return steps
  const request = () => city.request(random.pick(idle))
  return [...steps, { weight: pending < 12 ? 6 : 2, act: request }]
}

/** The next step of an accepted delivery; it comes sooner where the visitor takes part in it. */
function nextStep(
  view: CityView,
  delivery: Delivery,
  driver: User | undefined,
  city: CityActions,
): SimulatedAction[] {
  const byResident = view.isByResident(delivery)
  const urgent = !byResident || !driver
  const next = (slow: number, quick: number, act: SimulatedAction['act']) =>
    after(view, delivery, urgent ? quick : slow, { weight: 2, urgent, act })
  if (delivery.status === 'Delivered')
    return byResident ? next(minute, 15 * second, () => city.approve(delivery)) : []
  if (!driver) return []
  return delivery.status === 'Accepted'
    ? next(2 * minute, 20 * second, () => city.pickUp(driver, delivery))
    : next(3 * minute, 25 * second, () => city.deliver(driver, delivery))
}

const idleSenders = ({ residents, unfinished }: CityView): User[] =>
  residents.filter(
    ({ ID, role }) =>
      role === 'sender' &&
      !unfinished.some((each) => isActiveDelivery(each) && each.sender?.id === ID),
  )

/** The action, once the delivery has been unchanged for so many milliseconds. */
const after = (
  view: CityView,
  delivery: Delivery,
  unchanged: number,
  action: SimulatedAction,
): SimulatedAction[] => (view.now - Date.parse(delivery.updatedAt) >= unchanged ? [action] : [])

/** An urgent action if there is one, else a random one by weight. */
export function chooseAction(
  actions: SimulatedAction[],
  random: Random,
): SimulatedAction | undefined {
  const urgent = actions.find((action) => action.urgent)
  if (urgent) return urgent
  const total = actions.reduce((sum, { weight }) => sum + weight, 0)
  let rest = random.between(0, total)
  return actions.find(({ weight }) => {
    rest -= weight
    return rest < 0
  })
}
