import { describe, expect, test } from 'vitest'
import type { OperationName } from '#operations/index.ts'
import { operations } from '#store/entries/operations.ts'
import { entryVersion, type OutboxEntry } from '#sync/database/entry.ts'
import { entryOf } from '#sync/outbox/enqueue.ts'
import { type Departure, Lanes } from '#sync/push/lanes.ts'

const anyOf = (op: OperationName, input: object, seq: number) => {
  const about = { op, input, account: 'kofi', title: 'Laptop', occurredAt: '2026-11-21T10:00:00Z' }
  return { ...entryOf({ ...about, id: `${seq}`, lane: `lane ${seq}` } as never), seq }
}

const departure = (more: Partial<Departure> = {}): Departure => ({
  uploads: 2,
  calls: 6,
  requests: 6,
  chains: false,
  isReady: () => true,
  groupOf: ({ account }) => account,
  ...more,
})

const urgent: [OperationName, object][] = [
  ['acceptDelivery', { id: 'd1' }],
  ['pickUpDelivery', { id: 'd1' }],
  ['completeDelivery', { id: 'd1', code: '123456' }],
  ['approveDelivery', { id: 'd1' }],
  ['cancelDelivery', { id: 'd1' }],
]
test.each(urgent)(
  'S34: %s leaves before nine reports that were there before it, in a batch too',
  (op, input) => {
    const lanes = new Lanes(operations)
    const report = { id: 'd2', issue: 'Late', type: 'sender_issue' }
    const reports = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((seq) => anyOf('reportIssue', report, seq))
    const entry = anyOf(op, input, 10)
    lanes.add([...reports, entry])
    expect(lanes.isUrgent(entry)).toBe(true)
    for (const chains of [false, true])
      expect(lanes.departing(departure({ chains })).map((each) => each.seq)).toEqual([
        10, 1, 2, 3, 4, 5,
      ])
  },
)

test('S3: a lane of which an entry is under way sends no other, and goes on where that has ended', () => {
  const lanes = new Lanes(operations)
  const steps = [1, 2, 3].map((seq) => ({
    ...anyOf('cancelDelivery', { id: 'd1' }, seq),
    lane: 'd1',
  }))
  lanes.add(steps)
  const seqs = (more: Partial<Departure> = {}) =>
    lanes.departing(departure(more)).map(({ seq }) => seq)
  expect(seqs()).toEqual([1])
  expect(seqs({ chains: true })).toEqual([1, 2, 3])
  const [first, second] = steps
  if (!first || !second) throw new Error('No steps')
  for (const each of [first, second]) lanes.take(each)
  expect(seqs()).toEqual([])
  const change = { accounts: ['kofi'], added: [], isStart: false, moved: [] }
  lanes.release(first)
  lanes.apply({ ...change, changed: [{ ...first, state: 'done' }] })
  expect(seqs()).toEqual([])
  lanes.release(second)
  lanes.apply({ ...change, changed: [{ ...second, state: 'retrying', nextAt: 7 }] })
  expect(lanes.isIdle).toBe(true)
  expect(lanes.departing(departure()).map(({ seq, nextAt }) => [seq, nextAt])).toEqual([[2, 7]])
})

test('S8: lanes of an account that may not send any more are forgotten', () => {
  const lanes = new Lanes(operations)
  lanes.add([anyOf('cancelDelivery', { id: 'd1' }, 1)])
  lanes.apply({ accounts: ['ama'], added: [], changed: [], isStart: false, moved: [] })
  expect(lanes.departing(departure())).toEqual([])
  expect(lanes.earliest(() => 0)).toBeUndefined()
})

test('S44: the next try is that of the first lane that waits, and none that is held back', () => {
  const lanes = new Lanes(operations)
  const waiting = (seq: number, more: object) => ({
    ...anyOf('cancelDelivery', { id: `d${seq}` }, seq),
    ...more,
  })
  lanes.add([
    waiting(1, { nextAt: 900 }),
    waiting(2, { nextAt: 500 }),
    waiting(3, { nextAt: 100, withdrawal: 'unknown' }),
    waiting(4, { nextAt: 100, after: ['1'] }),
  ])
  expect(lanes.earliest(({ nextAt }) => nextAt)).toBe(500)
  expect(lanes.earliest(({ seq, nextAt }) => (seq === 2 ? 700 : nextAt))).toBe(700)
})

test('S41: entries of several tokens leave in one turn, in as many requests as there are places', () => {
  const lanes = new Lanes(operations)
  const report = { id: 'd2', issue: 'Late', type: 'sender_issue' }
  lanes.add([1, 2, 3, 4, 5, 6].map((seq) => anyOf('reportIssue', report, seq)))
  const groupOf = ({ id }: { id: string }) => `token ${Number(id) % 3}`
  const seqs = (more: Partial<Departure>) =>
    lanes.departing(departure({ chains: true, groupOf, ...more })).map(({ seq }) => seq)
  expect(seqs({ requests: 1 })).toEqual([1, 4])
  expect(seqs({ requests: 2 })).toEqual([1, 4, 2, 5])
  expect(seqs({ requests: 6 })).toEqual([1, 4, 2, 5, 3, 6])
  expect(seqs({ requests: 6, calls: 3 })).toEqual([1, 4, 2])
  expect(seqs({ requests: 0 })).toEqual([])
})

describe('S57, S73: what is of a newer version or could not be taken back', () => {
  const held: [string, object][] = [
    ['of a newer version', { v: entryVersion + 1 }],
    ['of which nobody knows', { withdrawal: 'unknown' }],
  ]
  test.each(held)(
    '%s never leaves, alone or in a batch, and holds up its lane alone',
    (_, more) => {
      const lanes = new Lanes(operations)
      const inLane = (seq: number, change = {}) => ({
        ...anyOf('cancelDelivery', { id: 'd1' }, seq),
        lane: 'd1',
        ...change,
      })
      lanes.add([inLane(1, more), inLane(2), anyOf('cancelDelivery', { id: 'd2' }, 3)])
      lanes.add([inLane(4, { lane: 'd4' }), inLane(5, { lane: 'd4', ...more })])
      for (const chains of [false, true])
        expect(lanes.departing(departure({ chains })).map(({ seq }) => seq)).toEqual([3, 4])
    },
  )
})

test('S19: what waits in a lane follows the row to its new name, of that account alone', () => {
  const lanes = new Lanes(operations)
  const entry = { ...anyOf('cancelDelivery', { id: 'd1' }, 1), lane: 'here' }
  const other = { ...entry, id: '2', seq: 2, account: 'ama' }
  lanes.add([entry, other])
  lanes.apply({
    accounts: ['kofi', 'ama'],
    added: [],
    changed: [],
    isStart: false,
    moved: [{ account: 'kofi', from: 'here', to: 'there' }],
  })
  const left = lanes.departing(departure())
  expect(left.map(({ account, lane }) => `${account} ${lane}`)).toEqual(['kofi there', 'ama here'])
})

test('S41: what depends on a later entry leaves in the same batch, after it', () => {
  const lanes = new Lanes(operations)
  const first = { ...anyOf('cancelDelivery', { id: 'd1' }, 1), after: ['2'] }
  lanes.add([first, anyOf('cancelDelivery', { id: 'd2' }, 2)])
  const seqs = (more: Partial<Departure>) => lanes.departing(departure(more)).map(({ seq }) => seq)
  expect(seqs({ chains: true })).toEqual([2, 1])
  expect(seqs({ chains: true, calls: 1 })).toEqual([2])
  expect(seqs({ chains: false })).toEqual([2])
})

test('S41: a batch takes of a lane what comes before the first that may not leave', () => {
  const inLane = (seq: number) => ({
    ...anyOf('cancelDelivery', { id: 'd1' }, seq),
    lane: 'd1',
  })
  const photo = { ...anyOf('uploadPhoto', { photo: 'p1' }, 2), lane: 'd1' }
  const seqsOf = (second: OutboxEntry, more: Partial<Departure> = {}) => {
    const lanes = new Lanes(operations)
    lanes.add([inLane(1), second, inLane(3)])
    return lanes.departing(departure({ chains: true, ...more })).map(({ seq }) => seq)
  }
  expect(seqsOf(inLane(2))).toEqual([1, 2, 3])
  expect(seqsOf(photo)).toEqual([1])
  expect(seqsOf(inLane(2), { isReady: ({ seq }) => seq !== 2 })).toEqual([1])
  expect(seqsOf(inLane(2), { groupOf: ({ seq }) => `${seq === 2}` })).toEqual([1])
  expect(seqsOf({ ...inLane(2), after: ['9'] })).toEqual([1, 2, 3])
})

test('a queue that is read anew forgets what it knew, but not what is under way', () => {
  const lanes = new Lanes(operations)
  const [old, next] = [1, 2].map((seq) => anyOf('cancelDelivery', { id: `d${seq}` }, seq))
  if (!old || !next) throw new Error('Two entries')
  lanes.add([old])
  lanes.take(old)
  const change = { accounts: ['kofi'], changed: [], moved: [] }
  lanes.apply({ ...change, isStart: true, added: [next] })
  expect(lanes.departing(departure()).map(({ seq }) => seq)).toEqual([2])
  expect(lanes.underWayCount).toBe(1)
})
