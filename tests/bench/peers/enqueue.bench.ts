import { test } from '@playwright/test'
import { inTurn, peersServer } from './bench.ts'
import { compare } from './table.ts'

const server = peersServer()
const count = 1_000

test('1,000 mutations enqueued until durable, a burst', async () => {
  const call = 'enqueue'
  const [ours = [], same = [], shipped = []] = await inTurn(
    server(),
    {},
    { name: 'ours', call, args: [count, 'burst'] },
    { name: 'tanstack', call, args: [count], durability: 'strict' },
    { name: 'tanstack', call, args: [count] },
  )
  const work = '1,000 enqueued, a burst'
  const note =
    'TanStack leaves the durability to the browser (relaxed); the first line is at equal, strict durability.'
  compare({ work, against: 'TanStack, as durable', note }, ours, same)
  compare({ work, against: 'TanStack, as shipped' }, ours, shipped)
})

test('1,000 mutations enqueued one by one, awaited', async () => {
  const call = 'enqueue'
  const args = [count, 'awaited']
  const [ours = [], same = [], shipped = [], dexie = [], bare = []] = await inTurn(
    server(),
    {},
    { name: 'ours', call, args },
    { name: 'workbox', call, args, durability: 'strict' },
    { name: 'workbox', call, args },
    { name: 'ours', call: 'writeOnly', args: [count, 'Dexie'] },
    { name: 'ours', call: 'writeOnly', args: [count, 'the browser'] },
  )
  const work = '1,000 enqueued one by one, awaited'
  const note = 'Workbox asks for relaxed durability; the first line is at equal, strict durability.'
  compare({ work, against: 'Workbox Queue, as durable', note }, ours, same)
  compare({ work, against: 'Workbox Queue, as shipped' }, ours, shipped)
  compare({ work, against: 'Dexie alone, the same rows' }, ours, dexie)
  compare({ work, against: 'IndexedDB alone, the same rows' }, ours, bare)
})
