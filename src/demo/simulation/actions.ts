import { type Delivery, isActiveDelivery, isActiveJob } from '#domain/deliveries/delivery.ts'
import { isApprovedDriver, type User } from '#domain/users/user.ts'
import type { CityActions, CityView } from './city.ts'
import { disputeTexts } from './dispute-texts.ts'
import type { Random } from './random.ts'
import { futureApplicants } from './residents.ts'

/** Something a resident may do now. `urgent`: a visitor waits for it. */
export type SimulatedAction = { weight: number; urgent?: boolean; act: () => Promise<unknown> }

const second = 1_000
const minute = 60 * second

/** The simulation adds nothing above these counts; the visitor may. */
export const limits = { pending: 24, applicants: 7, disputes: 8 }

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
    if (view.isByResident(delivery))
      return pending > reserved.jobs && free.length > reserved.drivers
        ? after(view, delivery, minute, { weight: 1, act: accept })
        : []
    return visitorWaits && free.length > 0
      ? after(view, delivery, 40 * second, { urgent: true, weight: 1, act: accept })
      : []
  })
  return [...steps, ...newActions(view, pending, random, city)]
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

/** New requests, and with small weights cancellations, applications and disputes. */
function newActions(
  view: CityView,
  pending: number,
  random: Random,
  city: CityActions,
): SimulatedAction[] {
  const actions: SimulatedAction[] = []
  const add = (weight: number, act: SimulatedAction['act']) => actions.push({ weight, act })

  const idle = idleSenders(view)
  if (idle.length > 0 && pending < limits.pending)
    add(pending < 12 ? 6 : 2, () => city.request(random.pick(idle)))

  const stale = staleRequests(view)
  if (stale.length > 0 && pending > reserved.jobs) add(0.3, () => city.cancel(random.pick(stale)))

  const newcomer = futureApplicants.find(({ email }) => !view.emails.has(email))
  if (newcomer && view.applicants < limits.applicants) add(0.4, () => city.apply(newcomer))

  const disputable = disputableJobs(view)
  if (disputable.length > 0 && view.disputed.size < limits.disputes)
    add(0.3, () => {
      const { delivery, driver } = random.pick(disputable)
      const type = delivery.status === 'Delivered' ? 'sender_issue' : 'driver_issue'
      return city.report(delivery, driver, type, random.pick(disputeTexts[type]).issue)
    })
  return actions
}

const idleSenders = ({ residents, unfinished }: CityView): User[] =>
  residents.filter(
    ({ ID, role }) =>
      role === 'sender' &&
      !unfinished.some((each) => isActiveDelivery(each) && each.sender?.id === ID),
  )

/** Residents' requests that nobody has accepted for 20 minutes. */
const staleRequests = (view: CityView): Delivery[] =>
  view.unfinished.filter(
    (each) =>
      each.status === 'Pending' &&
      view.isByResident(each) &&
      view.now - Date.parse(each.updatedAt) > 20 * minute,
  )

/** Jobs between residents that are on the way or delivered and have no open dispute. */
const disputableJobs = (view: CityView): { delivery: Delivery; driver: User }[] =>
  view.unfinished.flatMap((delivery) => {
    const driver = view.residents.find(({ ID }) => ID === delivery.driver?.id)
    const isUnderWay = delivery.status === 'Picked Up' || delivery.status === 'Delivered'
    if (!driver || !isUnderWay || !view.isByResident(delivery)) return []
    return view.disputed.has(delivery.ID) ? [] : [{ delivery, driver }]
  })

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
