import { beforeEach, describe, expect, test } from 'vitest'
import { drain } from '#store/worker.ts'
import { noteMinimumBuild } from '#sync/database/device/update.ts'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { entryOf } from '#sync/outbox/enqueue.ts'
import { deliveryOf } from '../helpers/device/context.ts'
import { createDevice, person, signIn } from '../helpers/device/device.ts'
import { createLocks } from '../helpers/device/phone.ts'
import { createTimerClock } from '../helpers/device/timer-clock.ts'
import { untilIdle } from '../helpers/device/until-idle.ts'

const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
let device: ReturnType<typeof createDevice>
let keys: (string | null)[]
let answer: (request: Request) => Response
const clock = createTimerClock()

beforeEach(async () => {
  device = createDevice()
  await signIn(device.db, person('ama', 'user'))
  keys = []
  answer = () => Response.json({ delivery: deliveryOf('d1', { sender: ama, status: 'Cancelled' }) })
})

const queued = (about: object) =>
  device.db.outbox.add({
    ...entryOf<OutboxEntry>({
      id: '0193a0a0-0000-7000-8000-000000000001',
      account: 'ama',
      op: 'cancelDelivery',
      lane: 'd1',
      input: { id: 'd1' },
      title: 'Laptop',
      occurredAt: '2026-11-21T10:00:00.000Z',
    }),
    ...about,
  } as never)

/** What the browser's wake-up comes to: whether it is to come again. */
async function wokenWorker(locks = createLocks()): Promise<'over' | 'again'> {
  const transport = async (request: Request) => {
    keys.push(request.headers.get('idempotency-key'))
    return answer(request)
  }
  const about = {
    db: device.db,
    transport,
    clock,
    locks,
    random: () => 0.5,
    isOffline: () => false,
  }
  const outcome = await drain('http://soma.test/api', about).then(
    () => 'over' as const,
    () => 'again' as const,
  )
  await device.db.open()
  return outcome
}
/** As `wokenWorker`, while so many seconds pass, after the seconds at which a request left. */
async function wokenFor(seconds: number, locks = createLocks()) {
  const sent: number[] = []
  const woken = wokenWorker(locks)
  for (let second = 0; second <= seconds; second++) {
    const before = keys.length
    await untilIdle()
    if (keys.length > before) sent.push(second)
    clock.pass(1_000)
  }
  return [...sent, await woken]
}

/** A tab that sends until it is freed. */
function sendingTab() {
  const locks = createLocks()
  let end = () => {}
  const work = new Promise<void>((resolve) => {
    end = resolve
  })
  const held = locks.run(`soma-send:${device.db.name}`, () => work)
  const free = () => {
    end()
    return held
  }
  return { locks, free }
}
const entry = async () => (await device.db.outbox.toArray())[0]
const key = '0193a0a0-0000-7000-8000-000000000001'

describe('S35: woken by the browser, the worker', () => {
  test('sends an entry of an earlier version of the app, upgraded', async () => {
    await queued({ v: 1 })
    expect(await wokenWorker()).toBe('over')
    expect(keys).toEqual([key])
    expect(await entry()).toMatchObject({ state: 'done' })
  })

  test('sends nothing where the server takes only newer builds', async () => {
    await noteMinimumBuild(device.db, 1e6)
    await queued({})
    expect(await wokenWorker()).toBe('over')
    expect(keys).toEqual([])
    expect(await entry()).toMatchObject({ state: 'waiting' })
  })

  test('sends at once what waits for its next try', async () => {
    await queued({
      state: 'retrying',
      attempts: 3,
      left: true,
      nextAt: clock.monotonic() + 200_000,
    })
    expect(await wokenWorker()).toBe('over')
    expect(keys).toEqual([key])
  })

  test('keeps to a time that the server named (S13), and asks to be woken again', async () => {
    const nextAt = clock.monotonic() + 200_000
    await queued({ state: 'retrying', attempts: 3, left: true, nextAt, held: true })
    expect(await wokenWorker()).toBe('again')
    expect(keys).toEqual([])
  })

  test('asks to be woken again where nobody answers', async () => {
    await queued({})
    answer = () => {
      throw new TypeError('Failed to fetch')
    }
    expect(await wokenWorker()).toBe('again')
    expect(await entry()).toMatchObject({ state: 'retrying', attempts: 1, left: true })
  })

  test('asks to be woken again while a tab sends, which may be closed', async () => {
    await queued({})
    const { locks, free } = sendingTab()
    expect(await wokenFor(30, locks)).toEqual(['again'])
    await free()
  })

  test('is done where a tab sends and nothing is left to be sent', async () => {
    await queued({ state: 'done', endedAt: 1 })
    const { locks, free } = sendingTab()
    expect(await wokenWorker(locks)).toBe('over')
    await free()
  })

  test('ends a login at once whose next try was later (S39), and counts what went over the network (S25)', async () => {
    await device.db.revocations.add({
      token: 'over',
      at: 1,
      attempts: 1,
      nextAt: clock.monotonic() + 100_000,
      wait: 200_000,
    })
    answer = () => Response.json({ message: 'Logged out' })
    expect(await wokenWorker()).toBe('over')
    expect(await device.db.revocations.count()).toBe(0)
  })
})

describe('S76: what can still be undone', () => {
  const heldFor = (wait: number) => ({
    nextAt: clock.now() + wait,
    wait,
    held: true,
  })

  test('is sent by the worker within one event, ten seconds after it saw it', async () => {
    await queued(heldFor(10_000))
    expect(await wokenFor(11)).toEqual([10, 'over'])
    expect(await entry()).toMatchObject({ state: 'done' })
  })

  test('is not sent sooner because its page slept, and the device’s clock went on', async () => {
    await queued({ ...heldFor(10_000), nextAt: clock.now() - 5_000 })
    expect(await wokenFor(11)).toEqual([10, 'over'])
  })

  test('is not sent at all once it was undone', async () => {
    await queued(heldFor(10_000))
    const woken = wokenFor(11)
    await device.db.outbox.toCollection().modify({ state: 'cancelled' })
    expect(await woken).toEqual(['over'])
  })

  test('is left to the next event where its time is more than 30 seconds off', async () => {
    await queued(heldFor(40_000))
    expect(await wokenWorker()).toBe('again')
  })

  test('is sent when a tab that was sending is closed meanwhile', async () => {
    await queued(heldFor(10_000))
    const { locks, free } = sendingTab()
    const woken = wokenFor(25, locks)
    await untilIdle()
    await free()
    expect(await woken).toContain('over')
    expect(keys).toEqual([key])
  })
})
