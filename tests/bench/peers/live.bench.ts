import { test } from '@playwright/test'
import { inTurn, peersServer } from './bench.ts'
import { compare } from './table.ts'

const server = peersServer()

test('A write seen by a live query, 10,000 rows held, 200 pending', async () => {
  const [ours = [], raw = []] = await inTurn(
    server(),
    {},
    { name: 'ours', call: 'see', args: [10_000, 200] },
    { name: 'ours', call: 'seeRaw', args: [10_000] },
  )
  compare(
    {
      ...{ work: 'a write seen by a live query, 10,000 rows, 200 pending', target: 1.5 },
      against: 'Dexie liveQuery, one put',
    },
    ours,
    raw,
  )
})
