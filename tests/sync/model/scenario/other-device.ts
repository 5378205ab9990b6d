import type { Delivery } from '#domain/deliveries/delivery.ts'
import { type Action, can } from '#domain/deliveries/permissions.ts'
import type { StoredDelivery } from '#server/ports/repo.ts'
import { actions, picked } from './actions.ts'
import type { Role } from './seed-data.ts'
import type { Milestone, Simulation } from './settings.ts'

/** A user without a simulated phone does one of the possible actions, chosen by `pick`. */
export async function doSomethingElsewhere(world: Simulation, pick: number) {
  const { residents, tokens } = world.server
  const ways: (() => Promise<void>)[] = []
  const further = (await world.deliveries()).sort((a, b) => historyLength(b) - historyLength(a))
  for (const delivery of further)
    for (const name of Object.keys(residents) as Role[])
      for (const action of actions) {
        const { user } = residents[name]
        if (action === 'attachProof' || !can({ user }, action, delivery)) continue
        if (action === 'cancelDelivery' && pick % 5 > 0) continue
        ways.push(() => actElsewhere(world, action, delivery, tokens[name]))
      }
  ways.push(() => requestElsewhere(world, pick % 2 ? 'ama' : 'kofi'))
  await picked(ways, pick)?.()
}

const historyLength = ({ history = [] }: Delivery) => history.length

/** A request from a machine that is none of our phones. */
export function requestElsewhere(world: Simulation, who: Role): Promise<void> {
  const about = {
    itemDescription: world.uniqueName(),
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    offer: 30,
  }
  const recipient = { recipientName: 'Abena', recipientPhone: '0244123456' }
  const itemPhoto = `http://soma.test/api/images/${'ab'.repeat(32)}.jpg`
  const token = world.server.tokens[who]
  return world.callElsewhere('createDelivery', {
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
  world: Simulation,
  action: Exclude<Action, 'attachProof'>,
  { ID, deliveryCode }: Delivery,
  token: string,
): Promise<void> {
  const about = { id: ID, token }
  if (action === 'acceptDelivery') return world.callElsewhere('acceptDelivery', about)
  if (action === 'completeDelivery')
    return world.callElsewhere('completeDelivery', { ...about, body: { code: deliveryCode } })
  return world.callElsewhere('changeStatus', { ...about, body: { status: status[action] } })
}

/** A driver without a phone of ours carries the so-manieth delivery, of the newest first, so far. */
export async function carry(world: Simulation, pick: number, to: Milestone): Promise<void> {
  const unfinished = (await world.deliveries())
    .filter(({ status }) => status === 'Pending' || status === 'Accepted' || status === 'Picked Up')
    .sort((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? ''))
  const chosen = picked(unfinished, pick)
  if (chosen) await carryOn(world, chosen, to)
}

const steps = ['acceptDelivery', 'pickUpDelivery', 'completeDelivery'] as const
const reached = { Accepted: 1, 'Picked Up': 2, Delivered: 3 }

export async function carryOn(
  world: Simulation,
  { ID }: StoredDelivery,
  to: Milestone,
): Promise<void> {
  const { residents, tokens } = world.server
  for (const action of steps.slice(0, reached[to])) {
    const now = (await world.deliveries()).find((each) => each.ID === ID)
    const name = (['driver two', 'driver one'] as const).find(
      (each) => now && can({ user: residents[each].user }, action, now),
    )
    if (now && name) await actElsewhere(world, action, now, tokens[name])
  }
}

/** Before anything happens: one of the deliveries is under way already. */
export async function beginDelivery(world: Simulation, to: Milestone): Promise<void> {
  await requestElsewhere(world, 'ama')
  const { residents, tokens } = world.server
  for (const action of steps.slice(0, reached[to])) {
    const hers = (await world.deliveries()).find(
      ({ sender }) => sender?.id === residents.ama.user.ID,
    )
    if (hers) await actElsewhere(world, action, hers, tokens['driver one'])
  }
}
