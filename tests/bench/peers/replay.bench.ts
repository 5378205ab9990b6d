import { test } from '@playwright/test'
import { inTurn, peersServer } from './bench.ts'
import { compare } from './table.ts'

const server = peersServer()
const count = 1_000

test('1,000 queued mutations replayed over loopback', async () => {
  const call = 'replay'
  const wanted = count
  const work = '1,000 replayed, loopback'
  const [ours = [], tanstack = [], batches = [], calls = []] = await inTurn(
    server(),
    {},
    { name: 'ours', call, args: [count, false], wanted },
    { name: 'tanstack', call, args: [count, false], wanted, durability: 'strict' },
    { name: 'rxdb', call, args: [count, 'its batches'], wanted, durability: 'strict' },
    { name: 'rxdb', call, args: [count, 'our calls'], wanted, durability: 'strict' },
  )
  compare({ work, against: 'TanStack', target: 0.6 }, ours, tanstack)
  compare({ work, against: 'RxDB push, the same calls', target: 0.25 }, ours, calls)
  const note = 'RxDB’s own endpoint takes a hundred documents in one request, without request keys.'
  compare({ work, against: 'RxDB push, batches of 100', note }, ours, batches)
})
