import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isFailing } from '#store/queries/pulls.ts'
import { createListPoller } from '#sync/engine/list-poller.ts'
import { createPollSchedule } from '#sync/engine/poll-schedule.ts'
import { createReachability } from '#sync/engine/reachability.ts'
import type { Pull } from '#sync/model.ts'
import { createTrafficMeter } from '#sync/platform/traffic-meter.ts'
import { createDevice } from '../../helpers/device/device.ts'
import { createClock } from '../../helpers/device/phone.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'

const every = 10_000
const fresh: Pull = { result: 'fresh', every }
const silent: Pull = { result: 'unreachable', every }

let poller: ReturnType<typeof start>
beforeEach(() => {
  poller = start()
})
afterEach(() => poller.db.close())

/** The engine's poller over real schedule and state; `answers` says how each list is pulled. */
function start() {
  const { db } = createDevice()
  const timers: { work: () => void; delay: number }[] = []
  const clock = {
    ...createClock(1_000_000),
    setTimeout: (work: () => void, delay: number) => timers.push({ work, delay }) - 1,
    clearTimeout: (timer: unknown) => {
      timers[timer as number] = { work: () => {}, delay: 0 }
    },
  }
  const context = { db, clock, traffic: createTrafficMeter() } as never
  const answers: Record<string, () => Pull | Promise<Pull>> = {}
  const asked: string[] = []
  const subscriptions = vi.fn(async () => Object.keys(answers).map((kind) => ({ kind })))
  const onLate = vi.fn()
  const environment = { isVisible: vi.fn(() => true) }
  const schedule = createPollSchedule(
    clock,
    () => 0,
    () => false,
  )
  const model = {
    pull: async (_: unknown, { kind }: { kind: string }) => {
      asked.push(kind)
      return await (answers[kind] as () => Pull)()
    },
  }
  const about = {
    context,
    environment: environment as never,
    model: model as never,
    schedule,
    reachability: createReachability(context, () => {}),
    subscriptions,
    followWatched: () => () => {},
    onLate,
    onNews: () => {},
    evict: async () => {},
  }
  const pass = (ms: number) => clock.pass(ms)
  return {
    ...createListPoller(about as never),
    db,
    answers,
    asked,
    schedule,
    environment,
    onLate,
    timers,
    pass,
    subscriptions,
  }
}

test('S24: a page that nobody looks at asks for nothing', async () => {
  const { answers, asked, environment, pullDue } = poller
  answers.zones = () => fresh
  environment.isVisible.mockReturnValue(false)
  expect(await pullDue()).toBe(Number.POSITIVE_INFINITY)
  expect(asked).toEqual([])
})

test('S24: each list that is due is asked for once in a round, and the soonest next is said', async () => {
  const { answers, asked, pullDue, pass } = poller
  answers.zones = () => ({ result: 'fresh', every: 50_000 })
  answers.items = () => fresh
  answers.me = () => ({ result: 'unchanged', every: 0 })
  expect(await pullDue()).toBe(1_000_000)
  expect(asked.toSorted()).toEqual(['items', 'me', 'zones'])
  pass(every)
  await pullDue()
  expect(asked.slice(3).toSorted()).toEqual(['items', 'me'])
})

test('S45: two lists of one kind are both asked for', async () => {
  const { asked, pullDue, subscriptions } = poller
  subscriptions.mockResolvedValue([
    { kind: 'delivery', id: 'd1' },
    { kind: 'delivery', id: 'd2' },
  ] as never)
  poller.answers.delivery = () => {
    if (asked.length > 9) throw new Error('Asked for again and again')
    return { result: 'unchanged', every: 0 }
  }
  await pullDue()
  expect(asked).toEqual(['delivery', 'delivery'])
})

test('S45: a list that hangs holds up no other for more than three seconds, and is asked for once', async () => {
  const { answers, asked, pullDue, pass, timers, onLate } = poller
  let answer: (pull: Pull) => void = () => {}
  answers.zones = () => new Promise((resolve) => (answer = resolve))
  answers.items = () => fresh
  const round = pullDue()
  await untilIdle()
  expect(asked).toContain('items')
  for (const { work, delay } of timers) if (delay === 3_000) work()
  // What hangs is not counted: the next round is that of the others.
  expect(await round).toBe(1_000_000 + every)
  pass(every)
  await pullDue()
  expect(asked.filter((list) => list === 'zones')).toHaveLength(1)
  expect(onLate).not.toHaveBeenCalled()
  answer(fresh)
  await expect.poll(() => onLate).toHaveBeenCalledTimes(1)
})

test('S45: a failure is shown from the first on, and until the list works again', async () => {
  const { answers, db, pullDue, pass, schedule } = poller
  answers.items = () => fresh
  answers.zones = () => silent
  await pullDue()
  expect(await isFailing(db, 'zones')).toBe(true)
  expect(await isFailing(db, 'items')).toBe(false)
  answers.zones = () => fresh
  pass(every)
  await pullDue()
  expect(await isFailing(db, 'zones')).toBe(false)
  expect(schedule.isFailing('zones')).toBe(false)
})

test.each(['refused', 'unreadable'] as const)(
  'S45: a list that is %s is asked for with growing pauses, and not shown as failing',
  async (result) => {
    const { answers, asked, db, pullDue, pass, schedule } = poller
    answers.zones = () => silent
    await pullDue()
    answers.zones = () => ({ result, every })
    pass(2_000)
    await pullDue()
    expect(await isFailing(db, 'zones')).toBe(false)
    expect(schedule.due('zones')).toBe(1_002_000 + 4_000)
    expect(asked).toHaveLength(2)
  },
)

test('a fault of our own ends the round, and the list is not asked for at once again', async () => {
  const { answers, pullDue, schedule } = poller
  answers.zones = () => {
    throw new Error('The disk is full')
  }
  await expect(pullDue()).rejects.toThrow('The disk is full')
  expect(schedule.due('zones')).toBe(1_002_000)
})

test('S24: an answer that changes nothing slows a list, one that does not brings its pace back', async () => {
  const { answers, pullDue, pass, schedule } = poller
  answers.zones = () => ({ result: 'unchanged', every })
  for (let at = 0; at < 20; at++) {
    await pullDue()
    pass(60_000)
  }
  const { asked } = poller
  const before = asked.length
  expect(schedule.due('zones') - schedule.askedAt('zones')).toBe(2 * every)
  answers.zones = () => fresh
  await pullDue()
  expect(asked).toHaveLength(before + 1)
  expect(schedule.due('zones') - schedule.askedAt('zones')).toBe(every)
})
