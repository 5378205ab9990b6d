import { expect, test, vi } from 'vitest'
import { getState } from '#sync/database/device/state.ts'
import { createReachability } from '#sync/engine/reachability.ts'
import { createTrafficMeter } from '#sync/platform/traffic-meter.ts'
import { createDevice } from '../../helpers/device/device.ts'
import { createClock } from '../../helpers/device/phone.ts'

function start() {
  const { db } = createDevice()
  const clock = createClock(1_000_000)
  const onBack = vi.fn()
  const traffic = createTrafficMeter()
  const context = { db, clock, traffic }
  const reachability = createReachability(context as never, onBack)
  return { ...reachability, clock, onBack, isUp: () => getState(db, 'reachable'), db, traffic }
}

test('S47: one list that hangs is not the network, as long as another was answered lately', async () => {
  const { note, clock, isUp, inDoubt } = start()
  await note('zones', 'responded')
  await note('room', 'responded')
  clock.pass(9_000)
  await note('room', 'silent')
  expect(await isUp()).toBe(true)
  expect(inDoubt()).toBeUndefined()
})

test('S47: after a while the list that was answered last is asked before anything is said', async () => {
  const { note, clock, isUp, inDoubt, settleDoubt } = start()
  await note('room', 'responded')
  await note('items', 'responded')
  clock.pass(1_000)
  await note('zones', 'responded')
  clock.pass(11_000)
  await note('room', 'silent')
  expect(inDoubt()).toBe('zones')
  expect(await isUp()).toBe(true)
  await note('zones', 'silent')
  await settleDoubt()
  expect(await isUp()).toBe(false)
  expect(inDoubt()).toBeUndefined()
})

test('S47: a doubt that ends with an answer says nothing', async () => {
  const { note, clock, isUp, inDoubt, settleDoubt, onBack } = start()
  await note('zones', 'responded')
  clock.pass(11_000)
  await note('room', 'silent')
  await note('zones', 'responded')
  expect(inDoubt()).toBeUndefined()
  await settleDoubt()
  expect(await isUp()).toBe(true)
  expect(onBack).not.toHaveBeenCalled()
})

test('S47: while a photo fills a slow line nobody else is answered, and it is not said to be “Offline”', async () => {
  const { note, clock, isUp, settleDoubt, traffic } = start()
  await note('zones', 'responded')
  const hearNothing = async () => {
    for (const source of ['zones', 'room', 'outbox']) await note(source, 'silent')
    await settleDoubt()
  }
  for (let rounds = 0; rounds < 6; rounds++) {
    clock.pass(9_000)
    traffic.movedAt = clock.monotonic()
    await hearNothing()
    expect(await isUp()).toBe(true)
  }
  clock.pass(11_000)
  await hearNothing()
  expect(await isUp()).toBe(false)
})

test('S47: the sender’s silence is looked into within two seconds', async () => {
  const { note, clock, inDoubt } = start()
  await note('zones', 'responded')
  clock.pass(1_500)
  await note('outbox', 'silent')
  expect(inDoubt()).toBeUndefined()
  clock.pass(1_000)
  await note('outbox', 'silent')
  expect(inDoubt()).toBe('zones')
  // What is asked next settles it within the same time.
  await note('room', 'silent')
  expect(inDoubt()).toBe('zones')
})

test('S47: whoever answers after nobody did ends it, and is told once', async () => {
  const { note, isUp, onBack } = start()
  await note('zones', 'silent')
  expect(await isUp()).toBe(false)
  expect(onBack).not.toHaveBeenCalled()
  await note('room', 'throttled')
  expect(await isUp()).toBe(true)
  await note('zones', 'responded')
  expect(onBack).toHaveBeenCalledTimes(1)
})

test('S25: when there was an answer is stored once, and patience asked for is none', async () => {
  const { note, record, clock, db } = start()
  await note('zones', 'throttled')
  await record()
  expect(await getState(db, 'lastSyncAt')).toBeUndefined()
  await note('zones', 'responded')
  clock.pass(5_000)
  await record()
  expect(await getState(db, 'lastSyncAt')).toBe(1_000_000)
})

test('faults of our own wait longer each time, until something works', () => {
  const { failed, worked } = start()
  const pauses = [1, 2, 3].map(() => failed(() => 0))
  expect(pauses).toEqual([2_000, 4_000, 8_000])
  worked()
  expect(failed(() => 0)).toBe(2_000)
})
