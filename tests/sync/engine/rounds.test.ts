import { expect, test } from 'vitest'
import { createRounds } from '#sync/engine/rounds.ts'
import type { Clock } from '#sync/platform/context.ts'

/** A clock that notes how long each timer is to wait, milliseconds. */
function createNotingClock() {
  const waits: number[] = []
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 1_000,
    setTimeout: (_, wait) => waits.push(wait),
    clearTimeout: () => {},
  }
  return { clock, waits }
}

test.each([
  ['an hour from now', 1_000 + 3_600_000, 300_000],
  ['a minute from now', 1_000 + 60_000, 60_000],
  ['this moment', 1_000, 250],
  ['long ago', -3_600_000, 250],
])(
  'S46: what is due %s is looked at again within five minutes, and not at once',
  async (_, due, wait) => {
    const { clock, waits } = createNotingClock()
    const rounds = createRounds(clock, async () => due)
    rounds.start()
    await rounds.run()
    expect(waits).toEqual([wait])
  },
)

test('where nothing is due no round follows', async () => {
  const { clock, waits } = createNotingClock()
  const rounds = createRounds(clock, async () => Number.POSITIVE_INFINITY)
  rounds.start()
  await rounds.run()
  expect(waits).toEqual([])
})

test('a round asked for during another follows it once, and is what each asker waits for', async () => {
  const { clock, waits } = createNotingClock()
  const ends: (() => void)[] = []
  const rounds = createRounds(clock, async () => {
    await new Promise<void>((resolve) => ends.push(resolve))
    return 61_000
  })
  rounds.start()
  const over: string[] = []
  const first = rounds.run().then(() => over.push('first'))
  const others = [rounds.run(), rounds.run()].map((each) => each.then(() => over.push('other')))
  ends[0]?.()
  await first
  expect(over).toEqual(['first'])
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.()
  await Promise.all(others)
  expect(over).toEqual(['first', 'other', 'other'])
  expect(ends.length).toBe(2)
  // The first round left the next look to the one that followed it.
  expect(waits).toEqual([60_000])
})

test('nothing runs before the start or after the stop', async () => {
  const { clock, waits } = createNotingClock()
  let count = 0
  const rounds = createRounds(clock, async () => {
    count++
    return 2_000
  })
  await rounds.run()
  expect(count).toBe(0)
  rounds.start()
  const running = rounds.run()
  await rounds.stop()
  await running
  await rounds.run()
  expect([count, waits]).toEqual([1, []])
})
