import type { Delivery } from '#domain/deliveries/delivery.ts'
import { can } from '#operations/rules.ts'
import type { StoredDelivery } from '#server/ports/stores/delivery-stores.ts'
import type { Role } from '../seed-data.ts'
import type { Milestone, Simulation } from '../simulation.ts'
import { actions, type PartyAction, picked } from './actions.ts'

/** A user without a simulated phone does one of the possible actions, chosen by `pick`. */
export async function doSomethingElsewhere(simulation: Simulation, pick: number) {
  const { residents, tokens } = simulation.server
  const ways: (() => Promise<void>)[] = []
  const further = (await simulation.deliveries()).sort(
    (a, b) => historyLength(b) - historyLength(a),
  )
  for (const delivery of further)
    for (const name of Object.keys(residents) as Role[])
      for (const action of actions) {
        const { user } = residents[name]
        if (action === 'attachProof' || !can({ user }, action, delivery)) continue
        if (action === 'releaseJob' && pick % 4 > 0) continue
        if ((action === 'cancelDelivery' || action === 'contestPickUp') && pick % 5 > 0) continue
        ways.push(() => actElsewhere(simulation, action, delivery, tokens[name]))
      }
  ways.push(() => requestElsewhere(simulation, pick % 2 ? 'ama' : 'kofi'))
  await picked(ways, pick)?.()
}

const historyLength = ({ history = [] }: Delivery) => history.length

/** Creates a delivery from a device outside the simulation. */
export function requestElsewhere(simulation: Simulation, who: Role): Promise<void> {
  const about = {
    itemDescription: simulation.uniqueName(),
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    offer: 30,
  }
  const recipient = { recipientName: 'Abena', recipientPhone: '0244123456' }
  const itemPhoto = `http://soma.test/api/images/${'ab'.repeat(32)}.jpg`
  const token = simulation.server.tokens[who]
  return simulation.callElsewhere('createDelivery', {
    token,
    body: { ...about, ...recipient, itemPhoto },
  })
}

const status = {
  pickUpDelivery: 'Picked Up',
  approveDelivery: 'Approved',
  cancelDelivery: 'Cancelled',
}

export function actElsewhere(
  simulation: Simulation,
  action: Exclude<PartyAction, 'attachProof'>,
  { ID, deliveryCode, offer }: Delivery,
  token: string,
): Promise<void> {
  const about = { id: ID, token }
  switch (action) {
    case 'acceptDelivery':
    case 'reportUnpaid':
      return simulation.callElsewhere(action, about)
    case 'completeDelivery':
      return simulation.callElsewhere(action, { ...about, body: { code: deliveryCode } })
    case 'releaseJob':
      return simulation.callElsewhere(action, { ...about, body: { reason: 'No time' } })
    case 'reportAttempt':
      return simulation.callElsewhere(action, { ...about, body: { reason: 'absent' } })
    case 'contestPickUp':
      return simulation.callElsewhere(action, {
        ...about,
        body: { reason: simulation.uniqueName() },
      })
    case 'raiseOffer':
      return simulation.callElsewhere(action, { ...about, body: { offer: offer + 2.5 } })
    case 'startReturn':
    case 'confirmReturn':
    case 'renewCode':
      return simulation.callElsewhere(action, { ...about, body: {} })
    case 'rateDelivery':
      return simulation.callElsewhere(action, { ...about, body: { stars: 4 } })
    default:
      return simulation.callElsewhere('changeStatus', {
        ...about,
        body: { status: status[action] },
      })
  }
}

/** Ama, or an admin, cancels her delivery while a driver has it. */
export async function cancelElsewhere(simulation: Simulation, by: Role): Promise<void> {
  const { residents, tokens } = simulation.server
  const hers = (await simulation.deliveries()).find(
    ({ sender, status: now }) =>
      sender?.id === residents.ama.user.ID && (now === 'Accepted' || now === 'Picked Up'),
  )
  if (hers) await actElsewhere(simulation, 'cancelDelivery', hers, tokens[by])
}

/** A driver without a simulated phone takes the n-th newest delivery to this milestone. */
export async function carry(simulation: Simulation, pick: number, to: Milestone): Promise<void> {
  const unfinished = (await simulation.deliveries())
    .filter(({ status }) => status === 'Pending' || status === 'Accepted' || status === 'Picked Up')
    .sort((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? ''))
  const chosen = picked(unfinished, pick)
  if (chosen) await carryOn(simulation, chosen, to)
}

const steps = ['acceptDelivery', 'pickUpDelivery', 'completeDelivery'] as const
const reached = { Accepted: 1, 'Picked Up': 2, Delivered: 3 }

export async function carryOn(
  simulation: Simulation,
  { ID }: StoredDelivery,
  to: Milestone,
): Promise<void> {
  const { residents, tokens } = simulation.server
  for (const action of steps.slice(0, reached[to])) {
    const now = (await simulation.deliveries()).find((each) => each.ID === ID)
    const name = (['driver two', 'driver one'] as const).find(
      (each) => now && can({ user: residents[each].user }, action, now),
    )
    if (now && name) await actElsewhere(simulation, action, now, tokens[name])
  }
}

/** Before the first step: takes one delivery to this milestone. */
export async function beginDelivery(simulation: Simulation, to: Milestone): Promise<void> {
  await requestElsewhere(simulation, 'ama')
  const { residents, tokens } = simulation.server
  for (const action of steps.slice(0, reached[to])) {
    const hers = (await simulation.deliveries()).find(
      ({ sender }) => sender?.id === residents.ama.user.ID,
    )
    if (hers) await actElsewhere(simulation, action, hers, tokens['driver one'])
  }
}
