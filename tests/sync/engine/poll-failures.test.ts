import { describe, expect, test } from 'vitest'
import { createPollSchedule } from '#sync/engine/poll-schedule.ts'
import { createClock } from '../../helpers/device/phone.ts'

const every = 10_000

/** A schedule whose pauses have no jitter; `wait`: milliseconds until the room is asked for. */
function createSchedule() {
  const clock = createClock(1_000_000)
  const schedule = createPollSchedule(
    clock,
    () => 0,
    () => false,
  )
  const wait = (list = 'room') => schedule.due(list) - clock.monotonic()
  const fail = (times: number, retryAfter?: number) => {
    let isFirst = false
    for (let at = 0; at < times; at++)
      isFirst = schedule.failed('room', { retryAfter, responded: true })
    return isFirst
  }
  return { clock, schedule, wait, fail }
}

describe('S45: a list that fails', () => {
  test('says so with the first failure, and that it works again with the first answer', () => {
    const { schedule, fail } = createSchedule()
    expect(schedule.responded('room', every, true)).toBe(true)
    expect(schedule.responded('room', every, true)).toBe(false)
    expect(schedule.isFailing('room')).toBe(false)
    expect(fail(1)).toBe(true)
    expect(fail(1)).toBe(false)
    expect(schedule.isFailing('room')).toBe(true)
    expect(schedule.responded('room', every, true)).toBe(true)
    expect(schedule.isFailing('room')).toBe(false)
    expect(fail(1)).toBe(true)
    expect(schedule.responded('room', every, true)).toBe(true)
  })

  test('waits longer each time, though somebody wants it, and alone', () => {
    const { schedule, wait, fail } = createSchedule()
    schedule.asked('zones')
    schedule.responded('zones', every, true)
    for (const pause of [2_000, 4_000, 8_000, 10_000]) {
      fail(1)
      schedule.pollNow('room')
      expect(wait()).toBe(pause)
    }
    expect(wait('zones')).toBe(every)
  })

  test('is asked for at its pace again after an answer', () => {
    const { schedule, wait, fail } = createSchedule()
    fail(12, 500_000)
    schedule.asked('room')
    schedule.responded('room', every, true)
    expect(wait()).toBe(every)
  })

  test('is asked for at once by a person, who has the short pauses anew', () => {
    const { schedule, wait, fail } = createSchedule()
    fail(12)
    schedule.retryNow('room')
    expect(wait()).toBeLessThanOrEqual(0)
    expect(schedule.isFailing('room')).toBe(true)
    fail(1)
    expect(wait()).toBe(4_000)
    schedule.retryAllNow()
    expect(wait()).toBeLessThanOrEqual(0)
  })

  test('S13: waits as long as the server said, whoever wants it sooner', () => {
    const { clock, schedule, wait, fail } = createSchedule()
    fail(1, 60_000)
    schedule.retryNow('room')
    schedule.wakeFailing()
    expect(wait()).toBe(60_000)
    clock.pass(59_000)
    expect(wait()).toBe(1_000)
    fail(12, 1_000)
    expect(wait()).toBeGreaterThan(1_000)
  })

  test('S13: waits as long as a gateway said only until somebody answers', () => {
    const { schedule, wait } = createSchedule()
    schedule.failed('room', { retryAfter: 60_000 })
    expect(wait()).toBe(60_000)
    schedule.wakeFailing()
    expect(wait()).toBeLessThanOrEqual(0)
  })

  test('S47: is asked for when somebody answers again, each time after a longer pause', () => {
    const { clock, schedule, wait, fail } = createSchedule()
    fail(12)
    const paused = wait()
    schedule.wakeFailing()
    expect(wait()).toBeLessThanOrEqual(0)
    const gaps: number[] = []
    for (let times = 0; times < 8; times++) {
      fail(1)
      const from = clock.monotonic()
      for (schedule.wakeFailing(); wait() > 0; schedule.wakeFailing()) clock.pass(500)
      gaps.push(clock.monotonic() - from)
    }
    expect(gaps[0]).toBe(10_000)
    expect(gaps.at(-1)).toBeGreaterThan(paused / 4)
    expect(gaps).toEqual([...gaps].sort((a, b) => a - b))
    schedule.asked('room')
    schedule.responded('room', every, true)
    fail(12)
    schedule.wakeFailing()
    expect(wait()).toBeLessThanOrEqual(0)
  })

  test('a list that works is not hurried by the answer of another', () => {
    const { schedule, wait } = createSchedule()
    schedule.asked('room')
    schedule.responded('room', every, true)
    schedule.wakeFailing()
    expect(wait()).toBe(every)
  })
})

test('S24: a list that somebody wants has its usual pace from then on', () => {
  const { schedule, wait } = createSchedule()
  for (let at = 0; at < 50; at++) schedule.responded('room', every, false)
  schedule.pollNow('room')
  schedule.asked('room')
  schedule.responded('room', every, false)
  expect(wait()).toBe(every)
})

test('S24: the sooner of two wishes counts', () => {
  const { clock, schedule, wait } = createSchedule()
  schedule.asked('room')
  schedule.responded('room', every, true)
  schedule.pollNow('room', clock.monotonic() + 1_000)
  schedule.pollNow('room', clock.monotonic() + 5_000)
  expect(wait()).toBe(1_000)
  schedule.asked('room')
  expect(wait()).toBe(every)
})
