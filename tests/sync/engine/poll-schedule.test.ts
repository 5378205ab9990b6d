import { describe, expect, test } from 'vitest'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import * as queries from '#store/queries/queries.ts'
import { createPollSchedule } from '#sync/engine/poll-schedule.ts'
import { ours } from '../../helpers/device/answers.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createClock, createLocks } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const { network, startedPhone } = serverOfFile()

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
        agenda.responded('room', every, changed)
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
    const phone = await startedPhone({ clock })
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
    const phone = await startedPhone({ clock, locks })
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
