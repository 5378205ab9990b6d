import { describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { defaultExitTerms } from '#domain/deliveries/exits.ts'
import { isUnsent } from '#store/outbox/entry.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import {
  createClock,
  createNetwork,
  createPhone,
  type Network,
  type Phone,
} from '../../helpers/device/phone.ts'
import { type Person, present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../server-fixture.ts'

/*
 * Every two things that a phone lets one person do in a row about a delivery, with the first delayed on its way
 * to the server: the second waits for it, or both count in either order.
 */

const fixture = serverOfFile()
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 0xff, 0xd9]).buffer

type Known = { id: string; code: string; other: string }
type Scene = Known & { phone: Phone }
type Step = (scene: Scene) => Promise<unknown>

const asSender: Record<string, Step> = {
  approve: ({ phone, id }) => phone.commands.approveDelivery(id),
  cancel: ({ phone, id }) => phone.commands.cancelDelivery(id),
  'confirm the return': ({ phone, id }) => phone.commands.confirmReturn(id),
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
    phone.commands.attachProof(id, await phone.commands.keepPhoto(jpeg, 'image/jpeg')),
  'change the licence': ({ phone }) =>
    phone.commands.changeDriverCard({ licenceNumber: 'GH-1', licenceExpires: '2099-01-01' }),
}

const states = [
  'Pending',
  'Accepted',
  'Picked Up',
  'attempted',
  'returning',
  'Delivered',
  'Approved',
] as const
type State = (typeof states)[number]

/** Takes a delivery to this state as its driver, and as `approve` approves it. */
async function take(made: Delivery, driver: Person, to: State, approve: () => Promise<unknown>) {
  const server = fixture.server()
  const about = { token: driver.token, id: made.ID }
  if (to === 'Pending') return
  if (to === 'attempted' || to === 'returning') {
    await server.drive(made, driver, 'Picked Up')
    await server.ask('reportAttempt', { ...about, body: { reason: 'absent' } })
    server.clock.advance(defaultExitTerms.wait)
    if (to === 'returning') await server.ask('startReturn', { ...about, body: {} })
    return
  }
  await server.drive(made, driver, to === 'Approved' ? 'Delivered' : to)
  if (to === 'Approved') await approve()
}

/** What a new delivery of somebody else is to a driver, whose earlier ones are over. */
async function forDriver(driver: Person, state: State): Promise<Known> {
  const server = fixture.server()
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
  await take(delivery, driver, state, approve)
  const other = await server.guestDelivery()
  return { id: delivery.ID, code: present(delivery.deliveryCode), other: other.delivery.ID }
}

/** What a delivery of their own is to a sender. */
async function forSender(sender: Person, state: State): Promise<Known> {
  const server = fixture.server()
  const made = await server.delivery(sender)
  const about = { token: sender.token, id: made.ID, body: { status: 'Approved' as const } }
  if (state !== 'Pending')
    await take(made, await server.driver(), state, () => server.ask('changeStatus', about))
  return { id: made.ID, code: '', other: '' }
}

/** A phone of one of the two, without a network, that knows a delivery in this state. */
async function sceneOf(role: 'sender' | 'driver', person: Person, state: State) {
  const { fetch, clock } = fixture.server()
  const known = await (role === 'driver' ? forDriver : forSender)(person, state)
  const network = createNetwork(fetch)
  const phone = createPhone(network, { clock: createClock(clock.now()) })
  await phone.start()
  await phone.session.login(person.email, person.password)
  if (role === 'driver') await phone.engine.refresh({ kind: 'available' })
  await phone.settle()
  network.cut()
  return { scene: { ...known, phone }, network }
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
  network.hold(async (request) => {
    if (request.headers.get('idempotency-key') !== first) return
    await new Promise((leave) => setTimeout(leave, 100))
  })
  await phone.settle()
  return (await phone.db.outbox.toArray())
    .filter(({ state }) => state !== 'done' && state !== 'cancelled')
    .map(({ op, state, error }) => `${op} ${state}: ${error?.message}`)
}

describe.each(['sender', 'driver'] as const)('S3, S4: what a %s does in a row', (role) => {
  test.each(states)('is done, with a delivery that is %s', { timeout: 120_000 }, async (state) => {
    const server = fixture.server()
    const steps = Object.entries(role === 'sender' ? asSender : asDriver)
    const newPerson = () => (role === 'sender' ? server.sender() : server.driver())
    const driver = await newPerson()
    const whose = async () => (role === 'driver' ? driver : newPerson())
    const left: string[] = []
    let pairs = 0
    let { scene, network } = await sceneOf(role, await whose(), state)
    for (const [first, one] of steps)
      for (const [second, two] of steps) {
        if (!(await areAllowed(scene, [one, two]))) continue
        pairs += 1
        const lost = await sendLateFirst(scene, network)
        left.push(...lost.map((each) => `${first}, then ${second}: ${each}`))
        await scene.phone.kill()
        ;({ scene, network } = await sceneOf(role, await whose(), state))
      }
    await scene.phone.kill()
    expect(left).toEqual([])
    expect(pairs).toBeGreaterThan(0)
  })
})
