import { expect, test } from 'vitest'
import { type OutboxOp, operations } from '#store/deliveries/operations.ts'
import { entryOf } from '#store/outbox/enqueue.ts'
import { Lanes, lanesAtOnce } from '#sync/push/lanes.ts'

const anyOf = (op: OutboxOp, input: object, seq: number) => {
  const about = { op, input, account: 'kofi', title: 'Laptop', occurredAt: '2026-11-21T10:00:00Z' }
  return { ...entryOf({ ...about, id: `${seq}`, lane: `lane ${seq}` } as never), seq }
}

test('S34: an accept is the first to leave, though nine photos were there before it, of which two go along', () => {
  const lanes = new Lanes(operations)
  const photos = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((seq) =>
    anyOf('uploadPhoto', { photo: `${seq}` }, seq),
  )
  lanes.add([...photos, anyOf('acceptDelivery', { id: 'd1' }, 10)])
  const ops = (room: number) => lanes.heads(room, () => true).map(({ op }) => op)
  expect(ops(0)).toEqual(['acceptDelivery', 'uploadPhoto', 'uploadPhoto'])
})

test('S34: no more than six leave at once, the oldest first where none is urgent', () => {
  const lanes = new Lanes(operations)
  const seqs = [1, 2, 3, 4, 5, 6, 7, 8]
  lanes.add(seqs.map((seq) => anyOf('cancelDelivery', { id: `d${seq}` }, seq)))
  const heads = lanes.heads(0, () => true)
  expect(heads.map(({ seq }) => seq)).toEqual(seqs.slice(0, lanesAtOnce))
  for (const entry of heads) lanes.take(entry)
  expect(lanes.heads(0, () => true)).toEqual([])
})
