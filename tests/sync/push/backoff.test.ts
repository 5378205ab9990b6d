import { describe, expect, test } from 'vitest'
import * as queries from '#store/queries/queries.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createClock, createPhone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network } = serverOfFile()

const guestPhone = async () => {
  const phone = createPhone(network())
  await phone.start()
  return phone
}

const json = (status: number, body: object, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers })

describe('when the server asks for patience', () => {
  test('S12, S13: Retry-After is obeyed, under the same key, also when a new network appears', async () => {
    const clock = createClock()
    const phone = createPhone(network(), { clock })
    await phone.start()
    const keys: (string | null)[] = []
    network().setConditions((_, { path, key }) => {
      if (path !== '/api/guest/deliveries') return 'fine'
      const patience = json(429, { error: 'x', reason: 'too-many' }, { 'retry-after': '120' })
      return keys.push(key) === 1 ? patience : 'fine'
    })
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    for (let round = 0; round < 3; round++) await phone.engine.wake()
    clock.pass(119_000)
    await phone.engine.wake()
    expect(keys).toEqual([id])
    const waiting = (await queries.outbox(phone.db)).find((entry) => entry.id === id)
    expect(waiting).toMatchObject({ state: 'retrying', failures: 0 })
    clock.pass(1_000)
    await phone.settle()
    expect(keys).toEqual([id, id])
    expect(await server().held(id)).toHaveLength(1)
    await phone.kill()
  })

  test('S16: eight failures of its own park an entry, and the other lanes go on', async () => {
    const phone = await guestPhone()
    const poison = await phone.commands.requestDelivery(
      await filledDraft(phone.commands, { itemDescription: 'Poison' }),
      'guest',
    )
    network().setConditions((_, { key }) =>
      key === poison ? json(500, { error: 'x', reason: 'internal' }) : 'fine',
    )
    for (let round = 0; round < 12; round++) await phone.engine.wake()
    const other = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    for (let round = 0; round < 4; round++) await phone.engine.wake()
    const entry = async (id: string) =>
      (await queries.outbox(phone.db)).find((each) => each.id === id)
    expect(await entry(poison)).toMatchObject({ state: 'parked', failures: 8 })
    expect(await entry(other)).toMatchObject({ state: 'done' })
    network().restore()
    await phone.commands.retry(poison)
    await phone.settle()
    expect(await entry(poison)).toMatchObject({ state: 'done' })
    await phone.kill()
  })

  test('S9: what failed many times without an answer moves at once when the network is back', async () => {
    const phone = await guestPhone()
    network().cut()
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    for (let round = 0; round < 15; round++) await phone.engine.wake()
    network().restore()
    await phone.settle()
    expect(await server().held(id)).toHaveLength(1)
    await phone.kill()
  })
})
