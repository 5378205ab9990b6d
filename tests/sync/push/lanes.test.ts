import { expect, test } from 'vitest'
import type { OutboxOp } from '#store/deliveries/operations.ts'
import { entryOf } from '#store/outbox/enqueue.ts'
import { lanesAtOnce, Queue } from '#sync/push/lanes.ts'

const anyOf = (op: OutboxOp, input: object, seq: number) => {
  const about = { op, input, account: 'kofi', title: 'Laptop', occurredAt: '2026-11-21T10:00:00Z' }
  return { ...entryOf({ ...about, id: `${seq}`, lane: `lane ${seq}` } as never), seq }
}

test('S34: an accept is the first to leave, though nine photos were there before it, of which two go along', () => {
  const queue = new Queue()
  const photos = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((seq) =>
    anyOf('uploadPhoto', { photo: `${seq}` }, seq),
  )
  queue.add([...photos, anyOf('acceptDelivery', { id: 'd1' }, 10)])
  const ops = (room: number) => queue.heads(room, () => true).map(({ op }) => op)
  expect(ops(0)).toEqual(['acceptDelivery', 'uploadPhoto', 'uploadPhoto'])
})

test('S34: no more than six leave at once, the oldest first where none is urgent', () => {
  const queue = new Queue()
  const seqs = [1, 2, 3, 4, 5, 6, 7, 8]
  queue.add(seqs.map((seq) => anyOf('cancelDelivery', { id: `d${seq}` }, seq)))
  const heads = queue.heads(0, () => true)
  expect(heads.map(({ seq }) => seq)).toEqual(seqs.slice(0, lanesAtOnce))
  for (const entry of heads) queue.take(entry)
  expect(queue.heads(0, () => true)).toEqual([])
})
