import type { Delivery } from '#domain/deliveries/delivery.ts'
import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import {
  createClock,
  createNetwork,
  createPhone,
  type Network,
  type Phone,
} from '../../helpers/device/phone.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'
import { type Person, present } from '../../helpers/server/server.ts'
import type { ServerFixture } from '../server-fixture.ts'

/*
 * Two things that a phone lets one person do in a row about a delivery, with the first delayed on its way to the
 * server: the second waits for it, or both count in either order.
 */

const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 0xff, 0xd9]).buffer

type Known = { id: string; code: string; other: string }
type Scene = Known & { phone: Phone }
type Step = (scene: Scene) => Promise<unknown>

const asSender: Record<string, Step> = {
  approve: ({ phone, id }) => phone.commands.approveDelivery(id),
  cancel: ({ phone, id }) => phone.commands.cancelDelivery(id),
  'confirm the return': ({ phone, id }) => phone.commands.confirmReturn(id),
  'raise the offer': ({ phone, id }) => phone.commands.raiseOffer(id, 99),
  'get a new code': ({ phone, id }) => phone.commands.renewCode(id),
  report: ({ phone, id }) => phone.commands.reportIssue(id, 'Nobody comes'),
  rate: ({ phone, id }) => phone.commands.rateDelivery(id, { stars: 5 }),
  'request another': async ({ phone }) =>
    phone.commands.requestDelivery(await filledDraft(phone.commands), 'account'),
}
const asDriver: Record<string, Step> = {
  accept: ({ phone, id }) => phone.commands.acceptDelivery(id),
  'accept another': ({ phone, other }) => phone.commands.acceptDelivery(other),
  'pick up': ({ phone, id }) => phone.commands.pickUpDelivery(id),
  complete: ({ phone, id, code }) => phone.commands.completeDelivery(id, code),
  'give back': ({ phone, id }) => phone.commands.releaseJob(id, 'Flat tyre'),
  'report an attempt': ({ phone, id }) => phone.commands.reportAttempt(id, { reason: 'absent' }),
  'start the return': ({ phone, id }) => phone.commands.startReturn(id, undefined),
  report: ({ phone, id }) => phone.commands.reportIssue(id, 'Nobody comes'),
  rate: ({ phone, id }) => phone.commands.rateDelivery(id, { stars: 5 }),
  'attach a photo': async ({ phone, id }) =>
    phone.commands.attachProof(id, await phone.commands.savePhoto(jpeg, 'image/jpeg')),
  'change the licence': ({ phone }) =>
    phone.commands.changeDriverCard({ licenceNumber: 'GH-1', licenceExpires: '2099-01-01' }),
}

/** What a phone lets each of the two do, by name. */
export const stepsOf = { sender: asSender, driver: asDriver }

export const states = [
  'Pending',
  'Accepted',
  'Picked Up',
  'attempted',
  'returning',
  'Delivered',
  'Approved',
] as const
export type State = (typeof states)[number]

/** Takes a delivery to this state as its driver, and as `approve` approves it. */
async function take(
  server: ServerFixture,
  made: Delivery,
  driver: Person,
  to: State,
  approve: () => Promise<unknown>,
) {
  const about = { token: driver.token, id: made.ID }
  if (to === 'Pending') return
  if (to === 'attempted' || to === 'returning') {
    await server.drive(made, driver, 'Picked Up')
    await server.ask('reportAttempt', { ...about, body: { reason: 'absent' } })
    server.clock.advance(defaultEndingTerms.wait)
    if (to === 'returning') await server.ask('startReturn', { ...about, body: {} })
    return
  }
  await server.drive(made, driver, to === 'Approved' ? 'Delivered' : to)
  if (to === 'Approved') await approve()
}

/** What a new delivery of somebody else is to a driver, whose earlier ones are over. */
async function forDriver(server: ServerFixture, driver: Person, state: State): Promise<Known> {
  for (const { ID, status, driver: by } of await server.adminDeliveries())
    if (['Accepted', 'Picked Up'].includes(status) && by?.id === driver.user.ID)
      await server.ask('changeStatus', {
        token: server.admin.token,
        id: ID,
        body: { status: 'Cancelled' },
      })
  const { delivery, token, phone } = await server.guestDelivery()
  const body = { status: 'Approved' as const, guestPhone: phone }
  const approve = () => server.ask('changeGuestStatus', { token, id: delivery.ID, body })
  await take(server, delivery, driver, state, approve)
  const other = await server.guestDelivery()
  return { id: delivery.ID, code: present(delivery.deliveryCode), other: other.delivery.ID }
}

/** What a delivery of their own is to a sender. */
async function forSender(server: ServerFixture, sender: Person, state: State): Promise<Known> {
  const made = await server.delivery(sender)
  const about = { token: sender.token, id: made.ID, body: { status: 'Approved' as const } }
  if (state !== 'Pending')
    await take(server, made, await server.driver(), state, () => server.ask('changeStatus', about))
  return { id: made.ID, code: '', other: '' }
}

export type Role = 'sender' | 'driver'

/** A phone of one of the two, without a network, that knows a delivery in this state. */
async function sceneOf(server: ServerFixture, role: Role, person: Person, state: State) {
  const known = await (role === 'driver' ? forDriver : forSender)(server, person, state)
  const network = createNetwork(server.fetch)
  const phone = createPhone(network, { clock: createClock(server.clock.now()) })
  await phone.start()
  await phone.session.login(person.email, person.password)
  if (role === 'driver') await phone.engine.refresh({ kind: 'available' })
  await phone.settle()
  network.cut()
  return { scene: { ...known, phone }, network }
}

/** Tries pairs of steps, one after another, with a delivery in this state. */
export function createTrial(server: ServerFixture, role: Role, state: State) {
  const steps = stepsOf[role]
  const newPerson = () => (role === 'sender' ? server.sender() : server.driver())
  let driver: Person | undefined
  let open: Awaited<ReturnType<typeof sceneOf>> | undefined

  async function newScene() {
    if (role === 'driver') driver ??= await newPerson()
    return sceneOf(server, role, driver ?? (await newPerson()), state)
  }

  async function close() {
    await open?.scene.phone.kill()
    open = undefined
  }

  return {
    close,
    /** What was not done in the end; undefined where the phone does not let this person do both. */
    async run(first: string, second: string): Promise<string[] | undefined> {
      open ??= await newScene()
      const { scene, network } = open
      if (!(await areAllowed(scene, [present(steps[first]), present(steps[second])])))
        return undefined
      const lost = await sendLateFirst(scene, network)
      await close()
      // The report goes first, and then support decides (R108).
      const isBlocked = first === 'report' && second === 'approve'
      return lost.filter((each) => !isBlocked || !each.startsWith('approveDelivery refused'))
    },
  }
}

/** Does both; false where the phone lets this person do no such thing, and then nothing waits. */
async function areAllowed(scene: Scene, steps: readonly Step[]): Promise<boolean> {
  try {
    for (const step of steps) await step(scene)
    return true
  } catch {
    const session = await scene.phone.db.sessions.get('current')
    await scene.phone.commands.discardAll(present(session).account)
    return false
  }
}

/** Sends what waits, each entry in a request of its own, the first later than the others; returns what was not done. */
async function sendLateFirst({ phone }: Scene, network: Network): Promise<string[]> {
  const entries = await phone.db.outbox.orderBy('seq').filter(isUnsent).toArray()
  const first = entries.find(({ op }) => op !== 'uploadPhoto')?.id
  network.restore()
  const noBatch = { error: 'No such path', reason: 'no-such-path' }
  network.setConditions((_, { path }) =>
    path.endsWith('/batch') ? new Response(JSON.stringify(noBatch), { status: 404 }) : 'fine',
  )
  network.hold((request) =>
    request.headers.get('idempotency-key') === first ? untilIdle(network) : undefined,
  )
  await phone.settle()
  return (await phone.db.outbox.toArray())
    .filter(({ state }) => state !== 'done' && state !== 'cancelled')
    .map(({ op, state, error }) => `${op} ${state}: ${error?.message}`)
}
