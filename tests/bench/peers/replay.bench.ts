import { test } from '@playwright/test'
import { inTurn, peersServer } from './bench.ts'
import { compare } from './table.ts'

const server = peersServer()
const count = 1_000

test('1,000 queued mutations replayed over loopback', async () => {
  const call = 'replay'
  const expected = count
  const work = '1,000 replayed, loopback'
  const rxdb = { name: 'rxdb' as const, call, expected, durability: 'strict' as const }
  const [ours = [], tanstack = [], many = [], batches = [], bare = []] = await inTurn(
    server(),
    {},
    { name: 'ours', call, args: [count, false], expected },
    { name: 'tanstack', call, args: [count, false], expected, durability: 'strict' },
    { ...rxdb, args: [count, 'our calls', 100] },
    { ...rxdb, args: [count, 'its batches', 100] },
    { name: 'ours', call: 'fetchOnly', args: [count], expected },
  )
  compare({ work, against: 'TanStack' }, ours, tanstack)
  const note =
    'RxDB repeats a push as a whole: here a hundred calls in one push. Below, its own endpoint that takes a hundred ' +
    'documents at once.'
  compare({ work, against: 'RxDB push, 100 calls at once', note }, ours, many)
  compare({ work, against: 'RxDB push, 100 in one request' }, ours, batches)
  compare({ work, against: 'fetch alone, six at a time, nothing kept' }, ours, bare)
})

test('200 quick ones replayed after a restart', async () => {
  const some = 200
  const common = { expected: some, durability: 'strict' as const }
  const [ours = [], tanstack = []] = await inTurn(
    server(),
    {},
    { ...common, name: 'ours', call: 'replay', args: [some, false] },
    { ...common, name: 'tanstack', call: 'replayAfterRestart', args: [some] },
  )
  const note = 'TanStack promises first in, first out; ours promises order within one delivery.'
  compare({ work: '200 replayed after a restart', against: 'TanStack', note }, ours, tanstack)
})
