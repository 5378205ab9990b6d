import { test } from '@playwright/test'
import { inTurn, peersServer } from './bench.ts'
import { compare } from './table.ts'

const server = peersServer()

test('A write seen by a live query, 10,000 rows held, 200 pending', async () => {
  const [ours = [], raw = [], bare = []] = await inTurn(
    server(),
    {},
    { name: 'ours', call: 'see', args: [10_000, 200] },
    { name: 'ours', call: 'seeRaw', args: [10_000] },
    { name: 'ours', call: 'writeAndLook', args: [10_000] },
  )
  const work = 'a write seen by a live query, 10,000 rows, 200 pending'
  const note =
    'Dexie shows one put before it is durable, from its cache; ours shows two rows of two tables once they are.'
  compare({ work, against: 'Dexie liveQuery, one put', note }, ours, raw)
  compare({ work, against: 'IndexedDB alone: both rows, then the list' }, ours, bare)
})
