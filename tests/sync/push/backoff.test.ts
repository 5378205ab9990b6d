import { describe, expect, test } from 'vitest'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import { ours } from '../../helpers/device/answers.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createClock } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network, startedPhone } = serverOfFile()

describe('when the server asks for patience', () => {
  test('S12, S13: Retry-After is obeyed, under the same key, also when a new network appears', async () => {
    const clock = createClock()
    const phone = await startedPhone({ clock })
    const keys: (string | null)[] = []
    network().setConditions((_, { path, key }) => {
      if (path !== '/api/guest/deliveries') return 'fine'
      const patience = ours({ reason: 'too-many' }, 429, { 'retry-after': '120' })
      return keys.push(key) === 1 ? patience : 'fine'
    })
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    for (let round = 0; round < 3; round++) await phone.engine.wake()
    clock.pass(119_000)
    await phone.engine.wake()
    expect(keys).toEqual([id])
    const waiting = (await outboxQueries.outbox(phone.db)).find((entry) => entry.id === id)
    expect(waiting).toMatchObject({ state: 'retrying', failures: 0 })
    clock.pass(1_000)
    await phone.settle()
    expect(keys).toEqual([id, id])
    expect(await server().held(id)).toHaveLength(1)
  })

  describe('S16: failures that go on for an hour park an entry', () => {
    const failing = async (answer: () => Response) => {
      const clock = createClock()
      const phone = await startedPhone({ clock })
      const draft = await filledDraft(phone.commands, { itemDescription: 'Poison' })
      const poison = await phone.commands.requestDelivery(draft, 'guest')
      network().setConditions((_, { key }) => (key === poison ? answer() : 'fine'))
      const entry = async (id = poison) =>
        (await outboxQueries.outbox(phone.db)).find((each) => each.id === id)
      const fail = async (times: number, apart: number) => {
        for (let round = 0; round < times; round++) {
          clock.pass(apart)
          await phone.engine.wake()
        }
      }
      return { phone, clock, poison, entry, fail }
    }
    const oops = () => ours({ reason: 'internal' }, 500)

    test('not before, and the other lanes go on', async () => {
      const { phone, poison, entry, fail } = await failing(oops)
      await fail(14, 5 * 60_000 - 25_000)
      expect(await entry()).toMatchObject({ state: 'retrying' })
      await fail(2, 5 * 60_000)
      expect(await entry()).toMatchObject({ state: 'parked' })
      const other = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
      await fail(4, 1_000)
      expect(await entry(other)).toMatchObject({ state: 'done' })
      network().restore()
      await phone.commands.retry(poison)
      await phone.settle()
      expect(await entry()).toMatchObject({ state: 'done' })
    })
  })
})

describe('S44: a device clock that is set stops no entry', () => {
  const jumps = {
    'a year back': -365 * 86_400_000,
    'a day ahead': 86_400_000,
  }
  test.each(Object.entries(jumps))(
    '%s, over a restart: at most the wait itself',
    async (_, jump) => {
      const dbName = `set-back-${jump}`
      const before = createClock()
      const phone = await startedPhone({ clock: before, dbName })
      network().setConditions((_, { path }) =>
        path === '/api/guest/deliveries' ? ours({ reason: 'internal' }, 500) : 'fine',
      )
      const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
      for (let round = 0; round < 6; round++) await phone.engine.wake()
      network().restore()
      await phone.kill()
      const after = createClock(before.now() + jump)
      const again = await startedPhone({ clock: after, dbName })
      after.pass(5 * 60_000)
      await again.engine.runRound()
      expect(await server().held(id)).toHaveLength(1)
    },
  )
})
