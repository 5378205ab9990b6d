import { describe, expect, test } from 'vitest'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import { isFailing } from '#store/queries/pulls.ts'
import * as queries from '#store/queries/queries.ts'
import { createPollSchedule } from '#sync/engine/poll-schedule.ts'
import { ours } from '../../helpers/device/answers.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createClock, createLocks, createNetwork, createPhone } from '../../helpers/device/phone.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'
import { serverOfFile } from '../server-fixture.ts'

const { network } = serverOfFile()

const json = (body: object) => Response.json(body)

const startedPhone = async (clock = createClock()) => {
  const phone = createPhone(network(), { clock })
  await phone.start()
  return { ...phone, clock }
}

const asked = (path: string) => network().passed.filter((each) => each.path === path).length

describe('S24: how often a list is asked for', () => {
  const every = 10_000
  const agendaAt = (thrifty = false) => {
    const clock = createClock(1_000_000)
    const agenda = createPollSchedule(
      clock,
      () => 0.5,
      () => thrifty,
    )
    const wait = () => agenda.due('room') - clock.now()
    const answered = (times: number, changed: boolean) => {
      for (let each = 0; each < times; each++) {
        agenda.asked('room')
        agenda.answered('room', every, changed)
      }
    }
    return { clock, agenda, wait, answered }
  }

  test('R80: is its own pace, slower the longer nothing changes, and never slower than six times', () => {
    const { wait, answered } = agendaAt()
    expect(wait()).toBeLessThanOrEqual(0)
    answered(11, false)
    expect(wait()).toBe(every)
    answered(1, false)
    expect(wait()).toBe(2 * every)
    answered(500, false)
    expect(wait()).toBe(6 * every)
  })

  test('is its own pace again after a change, and after the person acted', () => {
    const { agenda, wait, answered } = agendaAt()
    answered(50, false)
    answered(1, true)
    expect(wait()).toBe(every)
    answered(50, false)
    agenda.resetPace()
    expect(wait()).toBe(every)
    agenda.pollNow('room')
    expect(wait()).toBeLessThanOrEqual(0)
  })

  test('is a third of it where the person saves data', () => {
    const { wait, answered } = agendaAt(true)
    answered(1, true)
    expect(wait()).toBe(3 * every)
  })

  test('is not at all while a stream tells of it, but as soon as it is wanted', () => {
    const { agenda, wait, answered } = agendaAt()
    agenda.suppressWhile((name) => name === 'room')
    answered(1, true)
    expect(wait()).toBe(Number.POSITIVE_INFINITY)
    agenda.pollNow('room')
    expect(wait()).toBeLessThanOrEqual(0)
  })
})

describe('S13: when the server asks for patience in answer to a read', () => {
  test('Retry-After is obeyed, also when a new network appears, and other lists go on', async () => {
    network().setConditions((_, { path }) =>
      path === '/api/zones'
        ? ours({ reason: 'unavailable' }, 503, { 'retry-after': '60' })
        : 'fine',
    )
    const phone = await startedPhone()
    expect(asked('/api/items')).toBe(1)
    expect(await isFailing(phone.db, 'zones')).toBe(true)
    expect(await isFailing(phone.db, 'items')).toBe(false)
    network().restore()
    phone.clock.pass(59_000)
    await phone.engine.wake()
    expect(asked('/api/zones')).toBe(0)
    phone.clock.pass(1_000)
    await phone.engine.runRound()
    expect(asked('/api/zones')).toBe(1)
    expect(await isFailing(phone.db, 'zones')).toBe(false)
    await phone.kill()
  })

  test('a server that only fails is left alone for a while, and not called offline', async () => {
    let tries = 0
    network().setConditions(() => {
      tries++
      return ours({ reason: 'unavailable' }, 503)
    })
    const phone = await startedPhone()
    await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    await phone.engine.wake()
    await untilIdle(network())
    const before = tries
    await untilIdle(network())
    expect(tries).toBe(before)
    expect(await queries.syncStatus(phone.db)).toMatchObject({ reachable: true, lastSyncAt: null })
    await phone.kill()
  })
})

describe('S12: behind a hotel’s portal', () => {
  const portals: [string, () => Response][] = [
    ['a page', () => new Response('<html>Welcome</html>')],
    ['a page that says no', () => new Response('<html>Pay first</html>', { status: 403 })],
    ['JSON of its own', () => json({ login: 'http://hotel.test' })],
    [
      'our own page after a redirect',
      () => Object.defineProperty(json({ zones: [] }), 'redirected', { value: true }),
    ],
  ]
  test.each(portals)(
    '%s is no answer: the phone is offline, and keeps what waits',
    async (_, portal) => {
      let tries = 0
      const hotel = createNetwork(async () => {
        tries++
        return portal()
      })
      const phone = createPhone(hotel)
      await phone.start()
      const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
      await phone.engine.wake()
      await untilIdle(hotel)
      const before = tries
      await untilIdle(hotel)
      expect(tries).toBe(before)
      expect(await queries.syncStatus(phone.db)).toMatchObject({
        reachable: false,
        lastSyncAt: null,
      })
      expect(await queries.outboxSummary(phone.db)).toMatchObject({ unsent: 1, refused: 0 })
      expect(
        (await outboxQueries.outbox(phone.db)).find((entry) => entry.id === id)?.attempts,
      ).toBe(0)
      await phone.kill()
    },
  )
})

test('S23: a device that says its network is gone is not believed, but it is looked into at once', async () => {
  const phone = await startedPhone()
  await phone.settle()
  const reachable = async () => (await queries.syncStatus(phone.db)).reachable
  phone.lose()
  await phone.engine.runRound()
  expect(await reachable()).toBe(true)
  network().cut()
  phone.lose()
  await phone.engine.runRound()
  expect(await reachable()).toBe(false)
  await phone.kill()
})

describe('S9: what cannot leave yet', () => {
  const listening = () => {
    const delays: number[] = []
    const clock = {
      ...createClock(),
      setTimeout: (_: () => void, delay: number) => delays.push(delay),
    }
    return { delays, clock }
  }

  test('wakes the phone no sooner than the photo it waits for', async () => {
    const { delays, clock } = listening()
    const phone = createPhone(network(), { clock })
    await phone.start()
    network().setConditions((_, { method }) =>
      method === 'POST' ? ours({ error: 'Oops' }, 500) : 'fine',
    )
    await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    for (let failures = 0; failures < 8; failures++) {
      clock.pass(10 * 60_000)
      await phone.engine.wake()
    }
    expect((await outboxQueries.outbox(phone.db)).map(({ state }) => state)).toContain('parked')
    delays.length = 0
    await phone.engine.runRound()
    expect(Math.min(...delays.slice(-2))).toBe(5 * 60_000)
  })

  test('wakes a phone without locks no sooner than whoever is sending it gives it back', async () => {
    const { delays, clock } = listening()
    const locks = { run: createLocks().run, exclusive: false }
    const phone = createPhone(network(), { clock, locks })
    await phone.start()
    network().setConditions((_, { method }) => (method === 'POST' ? 'request lost' : 'fine'))
    await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    await phone.engine.runRound()
    const lease = { holder: 'another tab', until: clock.now() + 90_000 }
    await phone.db.outbox
      .filter(({ op }) => op === 'uploadPhoto')
      .modify({ state: 'sending', lease, nextAt: 0 })
    await phone.engine.runRound()
    delays.length = 0
    await phone.engine.runRound()
    expect(Math.min(...delays.slice(-2))).toBe(90_000)
  })
})
