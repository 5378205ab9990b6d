import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as queries from '#store/queries/queries.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createNetwork, createPhone, type Network, type Phone } from '../../helpers/device/phone.ts'
import { type ServerFixture, startServerFixture } from '../../sync/server-fixture.ts'

let server: ServerFixture
let network: Network
let phone: Phone
beforeAll(async () => {
  server = await startServerFixture()
})
afterAll(() => server.close())
beforeEach(async () => {
  network = createNetwork(server.fetch)
  phone = createPhone(network)
  await phone.start()
})

const statuses = async (...items: string[]) => {
  const there = await server.adminDeliveries()
  return items.map((item) =>
    there.filter((each) => each.itemDescription === item).map(({ status }) => status),
  )
}

const request = async (itemDescription: string) =>
  phone.commands.requestDelivery(await filledDraft(phone.commands, { itemDescription }), 'guest')

/** The server has it; this phone heard nothing. */
const loseItsAnswer = () =>
  network.setConditions((_, { method, path }) =>
    method === 'POST' && path.endsWith('/guest/deliveries') ? 'answer lost' : 'fine',
  )

test('S1, S32: edited when it may have arrived, a request is there once, as it was edited', async () => {
  loseItsAnswer()
  const id = await request('Drum')
  await phone.engine.wake()
  expect(await statuses('Drum')).toEqual([['Pending']])
  await phone.commands.editAndResend(id)
  const draft = await queries.draft(phone.db)
  if (!draft) throw new Error('Nothing to edit')
  await phone.commands.requestDelivery({ ...draft, itemDescription: 'Big drum' }, 'guest')
  network.restore()
  await phone.settle()
  expect(await statuses('Drum', 'Big drum')).toEqual([['Cancelled'], ['Pending']])
  await phone.kill()
})

test('S15, S32: edited too late, because a driver has the item, it stands as it was and the edited one says why', async () => {
  loseItsAnswer()
  const id = await request('Kora')
  await phone.engine.wake()
  const driver = await server.driver()
  const about = { token: driver.token, id }
  await server.ask('acceptDelivery', about)
  await server.ask('changeStatus', { ...about, body: { status: 'Picked Up' } })
  await phone.commands.editAndResend(id)
  const draft = await queries.draft(phone.db)
  if (!draft) throw new Error('Nothing to edit')
  const second = await phone.commands.requestDelivery(
    { ...draft, itemDescription: 'Lute' },
    'guest',
  )
  network.restore()
  await phone.settle()
  expect(await statuses('Kora', 'Lute')).toEqual([['Picked Up'], []])
  expect((await deliveryQueries.deliveryRow(phone.db, id))?.view.status).toBe('Picked Up')
  const [entry] = await phone.db.outbox.where('id').equals(second).toArray()
  expect(entry).toMatchObject({ state: 'refused' })
  await phone.kill()
})
