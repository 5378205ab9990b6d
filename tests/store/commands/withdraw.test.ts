import { describe, expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import { discardPreview } from '#store/queries/outbox/discard-preview.ts'
import * as queries from '#store/queries/queries.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { filledDraft, jpeg } from '../../helpers/device/device.ts'
import { createClock, type NetworkCondition, type Phone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, phoneOf } = serverOfFile()

type Status = 'Pending' | 'Accepted' | 'Picked Up' | 'Delivered'

/** A phone whose person is the sender, or the driver, of a delivery that has come as far as `status`. */
async function phoneAt(role: 'sender' | 'driver', status: Status, clock = createClock()) {
  const [sender, driver] = [await server().sender(), await server().driver()]
  const { ID: id, deliveryCode } = await delivered(sender, driver, status)
  const { email, password } = role === 'sender' ? sender : driver
  const phone = await phoneOf({ email, password }, { clock })
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

/** What every mutation but the upload of a photo meets from here on. */
const mutationsMeet = (condition: NetworkCondition) =>
  network().setConditions((_, { method, path }) =>
    method !== 'GET' && !path.endsWith('/images/upload') ? condition : 'fine',
  )

/**
 * Something answers the calls about request keys with a page; it answers for the server too where `config` is given.
 * Returns how often it was asked.
 */
function requestsMeet(page: string, status: number, config?: object): () => number {
  let asked = 0
  network().setConditions((_, { path }) => {
    if (!path.startsWith('/api/requests/'))
      return config && path === '/api/config' ? Response.json(config) : 'fine'
    asked++
    return new Response(page, { status })
  })
  return () => asked
}
const configOfOthers = { imageUploadUrl: '/images', imageUploadPreset: 'items', imageHost: '' }
/** A backend without the calls about request keys, none of ours. */
const backendWithout = (page: string) => requestsMeet(page, 404, configOfOthers)

const entryOf = async (phone: Phone, op: string) =>
  (await phone.db.outbox.toArray()).filter((entry) => entry.op === op).at(-1)

type Act = (phone: Phone, about: { id: string; code: string }) => Promise<unknown>
const photo = ({ commands }: Phone) => commands.savePhoto(jpeg, 'image/jpeg')
/** Of an approval the tests below show the same. */
const acts: [string, 'sender' | 'driver', Status, Act][] = [
  [
    'attachProof',
    'driver',
    'Picked Up',
    async (phone, { id }) => phone.commands.attachProof(id, await photo(phone)),
  ],
  ['changePhone', 'sender', 'Pending', ({ commands }) => commands.changePhone('0244000123')],
]

describe.each(acts)('S56: %s, taken back without a network', (op, role, status, act) => {
  /** Its request met `condition`; the person takes it back before there is a network again. */
  async function takenBack(condition: 'answer lost' | 'request lost') {
    const { phone, id, code } = await phoneAt(role, status)
    mutationsMeet(condition)
    await act(phone, { id, code })
    await phone.engine.wake()
    network().cut()
    const { id: key } = present(await entryOf(phone, op))
    const sent = () => network().passed.filter((each) => each.key === key).length
    const before = sent()
    await phone.commands.discard(key)
    await phone.engine.wake()
    expect(await entryOf(phone, op)).toMatchObject({ withdrawal: 'asked' })
    expect((await entryOf(phone, op))?.state).not.toBe('cancelled')
    network().restore()
    await phone.settle()
    expect(sent()).toBe(before)
    const entry = await entryOf(phone, op)
    await phone.kill()
    return { entry }
  }

  test('is done where it had arrived, and never said to be taken back', async () => {
    const { entry } = await takenBack('answer lost')
    expect(entry).toMatchObject({ state: 'done', withdrawal: 'asked', unseen: 1 })
  })

  test('is cancelled where it had not, and never arrives', async () => {
    const { entry } = await takenBack('request lost')
    expect(entry).toMatchObject({ state: 'cancelled', withdrawal: 'asked' })
  })
})

test('S56: the row shows what the first answer brought, or what the server has without it', async () => {
  for (const [condition, shown] of [
    ['answer lost', 'Approved'],
    ['request lost', 'Delivered'],
  ] as const) {
    const { phone, id } = await phoneAt('sender', 'Delivered')
    mutationsMeet(condition)
    await phone.commands.approveDelivery(id)
    await phone.engine.wake()
    await phone.commands.discard(present(await entryOf(phone, 'approveDelivery')).id)
    expect((await deliveryQueries.deliveryRow(phone.db, id))?.marks).toMatchObject([
      { withdrawal: 'asked' },
    ])
    network().setConditions((_, { method }) => (method === 'GET' ? 'request lost' : 'fine'))
    await phone.engine.wake()
    expect(await deliveryQueries.deliveryRow(phone.db, id)).toMatchObject({
      view: { status: shown },
      marks: [],
    })
    network().restore()
  }
})

test('S56: what is taken back during a try is withdrawn once the try has ended', async () => {
  const { phone, id } = await phoneAt('sender', 'Delivered')
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  mutationsMeet('answer lost')
  network().hold(({ url }) => (url.endsWith('/status') ? held : undefined))
  await phone.commands.approveDelivery(id)
  const woken = phone.engine.wake()
  const approval = async () => present(await entryOf(phone, 'approveDelivery'))
  await expect.poll(async () => (await approval()).state).toBe('sending')
  await phone.commands.discard((await approval()).id)
  expect(await approval()).toMatchObject({ state: 'sending', withdrawal: 'asked' })
  end()
  await woken
  expect(await approval()).toMatchObject({ state: 'retrying', withdrawal: 'asked' })
  network().hold(() => undefined)
  network().restore()
  await phone.settle()
  expect(await approval()).toMatchObject({ state: 'done', withdrawal: 'asked' })
})

describe('S56: a request', () => {
  test.each([
    ['a sender', 'account', 'answer lost', 'Cancelled'],
    ['a guest', 'guest', 'request lost', undefined],
  ] as const)(
    'of %s (%s, %s) is withdrawn, or cancelled where it had arrived',
    async (_, mode, condition, status) => {
      const phone = await phoneOf(await server().sender())
      mutationsMeet(condition)
      const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), mode)
      await phone.engine.wake()
      await phone.commands.cancelDelivery(id)
      network().restore()
      await phone.settle()
      await phone.settle()
      expect((await server().held(id))[0]?.status).toBe(status)
      if (!status) expect(await phone.db.guests.count()).toBe(0)
      expect((await phone.db.outbox.toArray()).filter(isUnsent)).toEqual([])
    },
  )

  test('S32: that is put back into the form is withdrawn, and the edited one follows', async () => {
    const phone = await phoneOf(await server().sender())
    mutationsMeet('request lost')
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.engine.wake()
    await phone.commands.editAndResend(id)
    const draft = present(await queries.draft(phone.db))
    const again = await phone.commands.requestDelivery(draft, 'account')
    network().restore()
    await phone.settle()
    await phone.settle()
    expect(await server().held(id)).toEqual([])
    expect(await server().held(again)).toMatchObject([{ status: 'Pending' }])
  })
})

describe('S73: where the backend withdraws nothing', () => {
  test('it may have arrived: it stands still, and the person stops trying', async () => {
    const { phone, id } = await phoneAt('sender', 'Pending')
    mutationsMeet('answer lost')
    await phone.commands.reportIssue(id, 'Nobody came')
    await phone.engine.wake()
    backendWithout(JSON.stringify({ error: 'No', reason: 'not-found' }))
    const { id: key } = present(await entryOf(phone, 'reportIssue'))
    await phone.commands.discard(key)
    await phone.settle()
    expect(await entryOf(phone, 'reportIssue')).toMatchObject({
      state: 'parked',
      withdrawal: 'unknown',
      unseen: 1,
    })
    const sent = network().passed.filter((each) => each.key === key).length
    await phone.settle()
    expect(network().passed.filter((each) => each.key === key)).toHaveLength(sent)
    await phone.commands.stopTrying(key)
    expect(await entryOf(phone, 'reportIssue')).toMatchObject({
      state: 'cancelled',
      withdrawal: 'unknown',
    })
    network().restore()
  })

  test('S42: a gateway’s or portal’s answer says nothing of the backend: the request is withdrawn later', async () => {
    const clock = createClock()
    const { phone, id } = await phoneAt('sender', 'Pending', clock)
    mutationsMeet('request lost')
    await phone.commands.reportIssue(id, 'Nobody came')
    await phone.engine.wake()
    const pages = [
      [404, '<h1>404</h1>nginx'],
      [405, '{"message":"Not allowed"}'],
      [200, '<title>Hotel Wi-Fi</title>'],
    ] as const
    for (const [status, page] of pages) {
      const asked = requestsMeet(page, status)
      await phone.commands.discard(present(await entryOf(phone, 'reportIssue')).id)
      clock.pass(10 * 60_000)
      await phone.engine.wake()
      expect([status, asked()]).not.toEqual([status, 0])
      expect(await entryOf(phone, 'reportIssue')).toMatchObject({
        state: 'retrying',
        withdrawal: 'asked',
      })
    }
    network().restore()
    clock.pass(10 * 60_000)
    await phone.settle()
    expect(await entryOf(phone, 'reportIssue')).toMatchObject({ state: 'cancelled' })
  })

  test('it is sent after all where the person says so, under the same key', async () => {
    const { phone, id } = await phoneAt('sender', 'Delivered')
    mutationsMeet('answer lost')
    await phone.commands.approveDelivery(id)
    await phone.engine.wake()
    backendWithout('')
    const { id: key } = present(await entryOf(phone, 'approveDelivery'))
    await phone.commands.discard(key)
    await phone.settle()
    await phone.commands.retry(key)
    await phone.settle()
    expect(await entryOf(phone, 'approveDelivery')).toMatchObject({ id: key, state: 'done' })
    network().restore()
  })

  test('a request is asked for once more, and then cancelled', async () => {
    const phone = await phoneOf(await server().sender())
    mutationsMeet('answer lost')
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.engine.wake()
    backendWithout('')
    await phone.commands.discard(id)
    await phone.settle()
    await phone.settle()
    expect((await server().held(id))[0]?.status).toBe('Cancelled')
    network().restore()
  })
})

describe('S56: logging out with Discard', () => {
  const request = async ({ commands }: Phone, itemDescription: string) =>
    commands.requestDelivery(await filledDraft(commands, { itemDescription }), 'account')

  test('forgets what never left, cancels on the server a request whose answer was lost, and names nothing', async () => {
    const sender = await server().sender()
    const phone = await phoneOf(sender)
    network().cut()
    const unsent = await request(phone, 'Basket')
    expect(await discardPreview(phone.db)).toMatchObject([{ entry: unsent, mayHaveArrived: false }])
    network().restore()
    expect(await phone.session.logout('discard')).toEqual([])
    expect(await server().held(unsent)).toEqual([])

    await phone.session.login(sender.email, sender.password)
    mutationsMeet('answer lost')
    const id = await request(phone, 'Basket')
    await phone.engine.wake()
    expect(await discardPreview(phone.db)).toMatchObject([{ entry: id, mayHaveArrived: true }])
    network().restore()
    expect(await phone.session.logout('discard')).toEqual([])
    expect((await server().held(id))[0]?.status).toBe('Cancelled')
    expect(await phone.db.outbox.count()).toBe(0)
  })

  test('names a request that was sent after all, just before it was discarded', async () => {
    const phone = await phoneOf(await server().sender())
    mutationsMeet('answer lost')
    const id = await request(phone, 'Basket')
    await phone.engine.wake()
    const shown = (await discardPreview(phone.db)).map(({ entry }) => entry)
    network().restore()
    await phone.settle()
    expect(await phone.session.logout('discard', shown)).toEqual(['Basket'])
    expect((await server().held(id))[0]?.status).toBe('Pending')
  })

  test('names a request that may be with the server when nobody can be asked', async () => {
    const phone = await phoneOf(await server().sender())
    mutationsMeet('answer lost')
    await request(phone, 'Basket')
    await phone.engine.wake()
    network().cut()
    expect(await phone.session.logout('discard')).toEqual(['Basket'])
    expect(await phone.db.outbox.count()).toBe(0)
  })

  test('names an approval that had arrived, and none that had not', async () => {
    for (const [condition, titles] of [
      ['answer lost', ['Drum']],
      ['request lost', []],
    ] as const) {
      const { phone, id } = await phoneAt('sender', 'Delivered')
      mutationsMeet(condition)
      await phone.commands.approveDelivery(id)
      await phone.engine.wake()
      network().restore()
      expect(await phone.session.logout('discard')).toEqual(titles)
    }
  })
})
