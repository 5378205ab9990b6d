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

test('What one more change costs at 1,000, 10,000 and 100,000 rows held', async () => {
  for (const kind of ['pull', 'enqueue'] as const) {
    const sides = [1_000, 10_000, 100_000].map((held) => ({
      ...{ name: 'ours' as const, call: 'grow', args: [held, kind] },
    }))
    const [small = [], middle = [], large = []] = await inTurn(server(), {}, ...sides)
    const work = kind === 'pull' ? 'one changed row pulled' : 'one mutation enqueued'
    compare(
      { work: `${work}, 10,000 held`, against: 'ours, 1,000 held', target: 1.3 },
      middle,
      small,
    )
    compare(
      { work: `${work}, 100,000 held`, against: 'ours, 1,000 held', target: 1.3 },
      large,
      small,
    )
  }
})
