import { afterEach, expect, test } from 'vitest'
import { serverOfFile } from '../server-fixture.ts'
import { createTrial, type Role, type State } from './overtaking.ts'

// `tests/slow/sync/push/overtaking.test.ts` tries every pair in every third state.

const fixture = serverOfFile()

let trial: ReturnType<typeof createTrial> | undefined
afterEach(() => trial?.close())

test.each<[Role, State, string, string]>([
  ['sender', 'Pending', 'cancel', 'request another'],
  ['sender', 'Accepted', 'get a new code', 'cancel'],
  ['sender', 'returning', 'report', 'confirm the return'],
  ['sender', 'Delivered', 'report', 'approve'],
  ['sender', 'Delivered', 'approve', 'rate'],
  ['driver', 'Pending', 'accept', 'pick up'],
  ['driver', 'Accepted', 'report', 'give back'],
  ['driver', 'Picked Up', 'attach a photo', 'complete'],
  ['driver', 'attempted', 'report', 'start the return'],
  ['driver', 'Approved', 'change the licence', 'rate'],
])('S3, S4: a %s with a delivery that is %s can %s and %s', async (role, state, first, second) => {
  trial = createTrial(fixture.server(), role, state)
  expect(await trial.run(first, second)).toEqual([])
})
