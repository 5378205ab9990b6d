import { expect, test } from 'vitest'
import { type OutboxOp, operations } from '#store/deliveries/operations.ts'
import { entryOf } from '#store/outbox/enqueue.ts'
import { type Departure, Lanes } from '#sync/push/lanes.ts'

const anyOf = (op: OutboxOp, input: object, seq: number) => {
  const about = { op, input, account: 'kofi', title: 'Laptop', occurredAt: '2026-11-21T10:00:00Z' }
  return { ...entryOf({ ...about, id: `${seq}`, lane: `lane ${seq}` } as never), seq }
}

const departure = (more: Partial<Departure> = {}): Departure => ({
  uploads: 2,
  calls: 6,
  chains: false,
  isReady: () => true,
  groupOf: ({ account }) => account,
  ...more,
})

test('S34: an accept is the first to leave, though nine photos were there before it, of which two go along', () => {
  const lanes = new Lanes(operations)
  const photos = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((seq) =>
    anyOf('uploadPhoto', { photo: `${seq}` }, seq),
  )
  lanes.add([...photos, anyOf('acceptDelivery', { id: 'd1' }, 10)])
  expect(lanes.departing(departure()).map(({ op }) => op)).toEqual([
    'acceptDelivery',
    'uploadPhoto',
    'uploadPhoto',
  ])
})

test('S34: no more than six calls leave at once, the oldest first where none is urgent', () => {
  const lanes = new Lanes(operations)
  const seqs = [1, 2, 3, 4, 5, 6, 7, 8]
  lanes.add(seqs.map((seq) => anyOf('cancelDelivery', { id: `d${seq}` }, seq)))
  const first = lanes.departing(departure())
  expect(first.map(({ seq }) => seq)).toEqual(seqs.slice(0, 6))
  for (const entry of first) lanes.take(entry)
  expect(lanes.departing(departure({ calls: 0 }))).toEqual([])
  expect(lanes.departing(departure({ calls: -1 }))).toEqual([])
})
