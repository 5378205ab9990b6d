import { expect, test } from 'vitest'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import { ours } from '../../helpers/device/answers.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createPhone, type Phone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network } = serverOfFile()

const create = '/api/guest/deliveries'
const upload = '/api/images/upload'

const startedPhone = async () => {
  const phone = createPhone(network())
  await phone.start()
  return phone
}

const request = async ({ commands }: Phone, itemDescription: string) =>
  commands.requestDelivery(await filledDraft(commands, { itemDescription }), 'guest')

const entriesOf = async ({ db }: Phone) =>
  (await outboxQueries.outbox(db)).map(({ op, state, error }) => ({
    op,
    state,
    reason: error?.reason,
  }))

test('S1: a create whose response is lost and which then arrives twice has one effect', async () => {
  const phone = await startedPhone()
  const keys: (string | null)[] = []
  network().setConditions((_, { path, key }) => {
    if (path !== create) return 'fine'
    return keys.push(key) === 1 ? 'answer lost' : 'doubled'
  })
  const id = await request(phone, 'One effect')
  await phone.settle()
  expect(keys).toEqual([id, id])
  const made = (await server().adminDeliveries()).filter((each) =>
    each.itemDescription.includes('One effect'),
  )
  expect(made.map(({ ID }) => ID)).toEqual([id])
  await phone.kill()
})

test('S4: a create whose photo is refused is refused without being sent', async () => {
  const phone = await startedPhone()
  network().setConditions((_, { path }) =>
    path === upload
      ? Response.json(
          { error: { message: 'Not a photo' }, reason: 'not-an-image' },
          { status: 415 },
        )
      : 'fine',
  )
  await request(phone, 'Refused photo')
  for (let round = 0; round < 3; round++) await phone.engine.wake()
  network().restore()
  await phone.settle()
  expect(network().passed.filter(({ path }) => path === create)).toEqual([])
  expect((await entriesOf(phone)).map(({ state }) => state)).toEqual(['refused', 'refused'])
  await phone.kill()
})

test('S7: refused, cancelled and done entries stay visible, refused ones with their reason', async () => {
  const phone = await startedPhone()
  await request(phone, 'Done')
  await phone.settle()
  network().cut()
  await phone.commands.discard(await request(phone, 'Cancelled'))
  network().restore()
  network().setConditions((_, { path }) =>
    path === create
      ? Response.json({ error: 'Zone removed', reason: 'unknown-zone' }, { status: 400 })
      : 'fine',
  )
  await request(phone, 'Refused')
  await phone.settle()
  const entries = (await entriesOf(phone)).filter(({ op }) => op === 'createGuestDelivery')
  expect(entries.map(({ state }) => state).sort()).toEqual(['cancelled', 'done', 'refused'])
  expect(entries.find(({ state }) => state === 'refused')).toMatchObject({ reason: 'unknown-zone' })
  await phone.kill()
})

test('S12: a 503 keeps the entry, under the same key', async () => {
  const phone = await startedPhone()
  const keys: (string | null)[] = []
  network().setConditions((_, { path, key }) => {
    if (path !== create) return 'fine'
    const isFirst = keys.push(key) === 1
    return isFirst ? Response.json({ error: 'x', reason: 'unavailable' }, { status: 503 }) : 'fine'
  })
  const id = await request(phone, 'Busy')
  await phone.settle()
  expect(keys).toEqual([id, id])
  expect(await server().held(id)).toHaveLength(1)
  await phone.kill()
})

test('S13: an entry is not sent again before Retry-After has passed', async () => {
  const phone = await startedPhone()
  const keys: (string | null)[] = []
  network().setConditions((_, { path, key }) => {
    if (path !== create) return 'fine'
    keys.push(key)
    const headers = { 'retry-after': '60' }
    return ours({ error: 'x', reason: 'too-many' }, 429, headers)
  })
  const id = await request(phone, 'Patience')
  for (let round = 0; round < 5; round++) await phone.engine.wake()
  expect(keys).toEqual([id])
  const entry = present((await outboxQueries.outbox(phone.db)).find((each) => each.id === id))
  expect(entry).toMatchObject({ state: 'retrying', failures: 0 })
  await phone.kill()
})
