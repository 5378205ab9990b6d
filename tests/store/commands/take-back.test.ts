import { describe, expect, test } from 'vitest'
import type { Entry } from '#store/deliveries/operations.ts'
import { wayBack } from '#store/deliveries/take-back/way-back.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import { discardPreview } from '#store/queries/discard-preview.ts'
import { filledDraft, jpeg } from '../../helpers/device/device.ts'
import { createPhone, type Phone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network } = serverOfFile()

type Status = 'Pending' | 'Accepted' | 'Picked Up' | 'Delivered'

/** A phone whose person is the sender, or the driver, of a delivery that has come as far as `status`. */
async function phoneOf(role: 'sender' | 'driver', status: Status) {
  const [sender, driver] = [await server().sender(), await server().driver()]
  const { ID: id, deliveryCode } = await delivered(sender, driver, status)
  const phone = createPhone(network())
  await phone.start()
  const { email, password } = role === 'sender' ? sender : driver
  await phone.session.login(email, password)
  await phone.settle()
  return { phone, id, code: deliveryCode ?? '' }
}

async function delivered(
  sender: Awaited<ReturnType<ReturnType<typeof server>['sender']>>,
  driver: Awaited<ReturnType<ReturnType<typeof server>['driver']>>,
  status: Status,
) {
  const made = await server().delivery(sender, { itemDescription: 'Drum' })
  if (status !== 'Pending') await server().drive(made, driver, status)
  const { value } = await server().ask('getDelivery', { id: made.ID, token: sender.token })
  if (!value) throw new Error('No delivery')
  return value.delivery
}

/** What every mutation meets from here on. */
const mutationsMeet = (condition: 'answer lost' | 'request lost') =>
  network().setConditions((_, { method, path }) =>
    method !== 'GET' && !path.endsWith('/images/upload') ? condition : 'fine',
  )

const entryOf = async (phone: Phone, op: string) =>
  (await phone.db.outbox.toArray()).filter((entry) => entry.op === op).at(-1)

type Act = (phone: Phone, about: { id: string; code: string }) => Promise<unknown>
const acts: [string, 'sender' | 'driver', Status, Act][] = [
  [
    'approveDelivery',
    'sender',
    'Delivered',
    ({ commands }, { id }) => commands.approveDelivery(id),
  ],
  ['cancelDelivery', 'sender', 'Pending', ({ commands }, { id }) => commands.cancelDelivery(id)],
  ['acceptDelivery', 'driver', 'Pending', ({ commands }, { id }) => commands.acceptDelivery(id)],
  ['pickUpDelivery', 'driver', 'Accepted', ({ commands }, { id }) => commands.pickUpDelivery(id)],
  [
    'completeDelivery',
    'driver',
    'Picked Up',
    ({ commands }, { id, code }) => commands.completeDelivery(id, code),
  ],
  [
    'attachProof',
    'driver',
    'Picked Up',
    async ({ commands }, { id }) =>
      commands.attachProof(id, await commands.keepPhoto(jpeg, 'image/jpeg')),
  ],
]

describe.each(acts)('S56: %s', (op, role, status, act) => {
  test('that had arrived is done, and never said to be taken back', async () => {
    const { phone, id, code } = await phoneOf(role, status)
    mutationsMeet('answer lost')
    await act(phone, { id, code })
    await phone.engine.wake()
    const entry = await entryOf(phone, op)
    await phone.commands.discard(entry?.id ?? '')
    expect(wayBack(entry as Entry)).toBe('ask')
    expect(await entryOf(phone, op)).toMatchObject({ takingBack: true })
    const sent = () => network().passed.filter(({ key }) => key === entry?.id).length
    const before = sent()
    network().restore()
    await phone.settle()
    expect(await entryOf(phone, op)).toMatchObject({ state: 'done', takingBack: true, unseen: 1 })
    expect(sent()).toBe(before)
    await phone.kill()
  })

  test('that never arrived is taken back once the server has said so twice, and is not sent', async () => {
    const { phone, id, code } = await phoneOf(role, status)
    const [stood] = await server().held(id)
    mutationsMeet('request lost')
    await act(phone, { id, code })
    await phone.engine.wake()
    const entry = await entryOf(phone, op)
    expect(entry?.left).toBe(true)
    await phone.commands.discard(entry?.id ?? '')
    expect((await entryOf(phone, op))?.state).not.toBe('cancelled')
    const asked = await deliveryQueries.deliveryRow(phone.db, id)
    expect(asked?.marks).toMatchObject([{ op, takingBack: true }])
    network().restore()
    await phone.settle()
    await phone.settle()
    expect(await entryOf(phone, op)).toMatchObject({ state: 'cancelled', takingBack: true })
    expect((await deliveryQueries.deliveryRow(phone.db, id))?.marks).toEqual([])
    const [now] = await server().held(id)
    expect([now?.status, now?.proofOfDelivery]).toEqual([stood?.status, stood?.proofOfDelivery])
    await phone.kill()
  })
})

test('S56: without a network nothing is said to be taken back, and trying again sends it after all', async () => {
  const { phone, id } = await phoneOf('sender', 'Delivered')
  mutationsMeet('request lost')
  await phone.commands.approveDelivery(id)
  await phone.engine.wake()
  network().cut()
  const entry = await entryOf(phone, 'approveDelivery')
  await phone.commands.discard(entry?.id ?? '')
  await phone.engine.wake()
  await phone.engine.wake()
  expect(await entryOf(phone, 'approveDelivery')).toMatchObject({
    state: 'parked',
    takingBack: true,
  })
  network().restore()
  await phone.commands.retry(entry?.id ?? '')
  await phone.settle()
  expect((await server().held(id))[0]?.status).toBe('Approved')
  await phone.kill()
})

test('S56: what no row shows is not promised to be taken back; one can stop trying', async () => {
  const { phone, id } = await phoneOf('sender', 'Pending')
  mutationsMeet('answer lost')
  await phone.commands.reportIssue(id, 'Nobody came')
  await phone.engine.wake()
  await phone.commands.changePhone('0244000123')
  await phone.engine.wake()
  network().cut()
  await phone.engine.wake()
  for (const op of ['reportIssue', 'changePhone']) {
    expect(wayBack((await entryOf(phone, op)) as Entry)).toBe('stop')
    const entry = (await entryOf(phone, op))?.id ?? ''
    await expect(phone.commands.discard(entry)).rejects.toMatchObject({ reason: 'wrong-status' })
    await phone.commands.stopTrying(entry)
    expect(await entryOf(phone, op)).toMatchObject({ state: 'cancelled', gaveUp: true })
  }
  await phone.kill()
})

test('S56: what is taken back during a try is taken back once the try has ended', async () => {
  const { phone, id } = await phoneOf('sender', 'Accepted')
  mutationsMeet('request lost')
  await phone.commands.reportIssue(id, 'Nobody came')
  await phone.commands.cancelDelivery(id)
  await phone.engine.wake()
  for (const op of ['reportIssue', 'cancelDelivery'])
    await phone.commands.retry((await entryOf(phone, op))?.id ?? '')
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  mutationsMeet('answer lost')
  network().hold(({ method }) => (method === 'GET' ? undefined : held))
  const woken = phone.engine.wake()
  const state = async (op: string) => (await entryOf(phone, op))?.state
  for (const op of ['reportIssue', 'cancelDelivery'])
    await expect.poll(() => state(op)).toBe('sending')
  const stopped = phone.commands.stopTrying((await entryOf(phone, 'reportIssue'))?.id ?? '')
  const discarded = phone.commands.discard((await entryOf(phone, 'cancelDelivery'))?.id ?? '')
  end()
  await Promise.all([woken, stopped, discarded])
  expect(await entryOf(phone, 'reportIssue')).toMatchObject({ state: 'cancelled', gaveUp: true })
  expect(await entryOf(phone, 'cancelDelivery')).toMatchObject({ takingBack: true })
  network().hold(() => undefined)
  await phone.kill()
})

describe('S56: logging out with Discard', () => {
  const request = async ({ commands }: Phone, itemDescription: string) =>
    commands.requestDelivery(await filledDraft(commands, { itemDescription }), 'account')

  async function senderPhone() {
    const someone = await server().sender()
    const phone = createPhone(network())
    await phone.start()
    await phone.session.login(someone.email, someone.password)
    await phone.settle()
    return phone
  }

  test('cancels on the server a request whose answer was lost, and names nothing', async () => {
    const phone = await senderPhone()
    mutationsMeet('answer lost')
    const id = await request(phone, 'Basket')
    await phone.engine.wake()
    expect(await discardPreview(phone.db)).toMatchObject([{ entry: id, mayHaveArrived: true }])
    network().restore()
    expect(await phone.session.logout('discard')).toEqual([])
    expect((await server().held(id))[0]?.status).toBe('Cancelled')
    expect(await phone.db.outbox.count()).toBe(0)
    await phone.kill()
  })

  test('names a request that was sent after all, just before it was discarded', async () => {
    const phone = await senderPhone()
    mutationsMeet('answer lost')
    const id = await request(phone, 'Basket')
    await phone.engine.wake()
    const shown = (await discardPreview(phone.db)).map(({ entry }) => entry)
    network().restore()
    await phone.settle()
    expect(await phone.session.logout('discard', shown)).toEqual(['Basket'])
    expect((await server().held(id))[0]?.status).toBe('Pending')
    await phone.kill()
  })

  test('names a request that may be with the server when nobody can be asked', async () => {
    const phone = await senderPhone()
    mutationsMeet('answer lost')
    await request(phone, 'Basket')
    await phone.engine.wake()
    network().cut()
    expect(await phone.session.logout('discard')).toEqual(['Basket'])
    expect(await phone.db.outbox.count()).toBe(0)
    await phone.kill()
  })

  test('forgets what never left, and sends nothing of it', async () => {
    const phone = await senderPhone()
    network().cut()
    const id = await request(phone, 'Basket')
    expect(await discardPreview(phone.db)).toMatchObject([{ entry: id, mayHaveArrived: false }])
    network().restore()
    expect(await phone.session.logout('discard')).toEqual([])
    expect(await server().held(id)).toEqual([])
    await phone.kill()
  })

  test('names an approval that had arrived, and none that had not', async () => {
    for (const [condition, titles] of [
      ['answer lost', ['Drum']],
      ['request lost', []],
    ] as const) {
      const { phone, id } = await phoneOf('sender', 'Delivered')
      mutationsMeet(condition)
      await phone.commands.approveDelivery(id)
      await phone.engine.wake()
      network().restore()
      expect(await phone.session.logout('discard')).toEqual(titles)
      await phone.kill()
    }
  })
})
