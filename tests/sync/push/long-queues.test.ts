import { describe, test } from 'vitest'
import { expectLanesSent, expectRandomSent } from './long-queues.ts'

// `tests/slow/sync/push/long-queues.test.ts` sends queues of up to 5,000 lanes.

describe.each([
  ['in batches', true],
  ['one by one', false],
])('S3, S4, S41: a queue sent %s', (_, takesBatch) => {
  test.each([0, 1, 101])('of %i lanes is sent once each', (count) =>
    expectLanesSent(count, takesBatch),
  )

  test('of random lanes and parents is sent once each, in its order', () =>
    expectRandomSent(takesBatch, 3))
})

test('S41: 250 lanes need three requests or a few more, and no more than two batches are leased at once', () =>
  expectLanesSent(250, true))
