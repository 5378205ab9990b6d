import { describe, test } from 'vitest'
import { expectLanesSent, expectRandomSent } from '../../../sync/push/long-queues.ts'

describe.each([
  ['in batches', true],
  ['one by one', false],
])('S3, S4, S41: a queue sent %s', (_, takesBatch) => {
  test.each([60, 62, 400, 401])('of %i lanes is sent once each', (count) =>
    expectLanesSent(count, takesBatch),
  )

  test('of random lanes and parents is sent once each, in its order', () =>
    expectRandomSent(takesBatch, 50))
})

test('S41: 5,000 lanes need a hundred requests or a few more, and no more than two batches are leased at once', () =>
  expectLanesSent(5_000, true))
