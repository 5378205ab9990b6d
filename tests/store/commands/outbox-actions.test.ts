import { beforeEach, expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as queries from '#store/queries/queries.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/present.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, startedPhone } = serverOfFile()
let phone: Phone
beforeEach(async () => {
  phone = await startedPhone()
})

const statuses = async (...items: string[]) => {
  const there = await server().adminDeliveries()
  return items.map((item) =>
    there.filter((each) => each.itemDescription === item).map(({ status }) => status),
  )
}

const request = async (itemDescription: string) =>
  phone.commands.requestDelivery(await filledDraft(phone.commands, { itemDescription }), 'guest')

/** The server has it; this phone heard nothing. */
const loseItsAnswer = () =>
  network().setConditions((_, { method, path }) =>
    method === 'POST' && path.endsWith('/guest/deliveries') ? 'answer lost' : 'fine',
  )

test('S1, S32: edited when it may have arrived, a request is there once, as it was edited', async () => {
  loseItsAnswer()
  const id = await request('Drum')
  await phone.engine.wake()
  expect(await statuses('Drum')).toEqual([['Pending']])
  await phone.commands.editAndResend(id)
  const draft = present(await queries.draft(phone.db))
  await phone.commands.requestDelivery({ ...draft, itemDescription: 'Big drum' }, 'guest')
  network().restore()
  await phone.settle()
  expect(await statuses('Drum', 'Big drum')).toEqual([['Cancelled'], ['Pending']])
})

test('S15, S32: edited too late, because a driver has the item, it stands as it was and the edited one says why', async () => {
  loseItsAnswer()
  const id = await request('Kora')
  await phone.engine.wake()
  const driver = await server().driver()
  const about = { token: driver.token, id }
  await server().ask('acceptDelivery', about)
  await server().ask('changeStatus', { ...about, body: { status: 'Picked Up' } })
  await phone.commands.editAndResend(id)
  const draft = present(await queries.draft(phone.db))
  const second = await phone.commands.requestDelivery(
    { ...draft, itemDescription: 'Lute' },
    'guest',
  )
  network().restore()
  await phone.settle()
  expect(await statuses('Kora', 'Lute')).toEqual([['Picked Up'], []])
  expect((await deliveryQueries.deliveryRow(phone.db, id))?.view.status).toBe('Picked Up')
  const [entry] = await phone.db.outbox.where('id').equals(second).toArray()
  expect(entry).toMatchObject({ state: 'refused' })
})
