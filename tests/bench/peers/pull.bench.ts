import { test } from '@playwright/test'
import { inTurn, peersServer } from './bench.ts'
import { compare } from './table.ts'

const server = peersServer()

test('10,000 rows pulled', async () => {
  const rows = 10_000
  const call = 'pull'
  const [ours = [], both = [], down = []] = await inTurn(
    server(),
    { rows },
    { name: 'ours', call, args: [rows] },
    { name: 'rxdb', call, args: [rows, 'both'], durability: 'strict' },
    { name: 'rxdb', call, args: [rows, 'down'], durability: 'strict' },
  )
  const work = '10,000 rows pulled'
  compare({ work, against: 'RxDB, pull and push' }, ours, both)
  const note = 'an RxDB replication that never pushes keeps no notes of what it pulled.'
  compare({ work, against: 'RxDB, pull alone', note }, ours, down)
})

test('20,000 rows pulled against Dexie alone', async () => {
  const rows = 20_000
  const [ours = [], fetched = [], put = []] = await inTurn(
    server(),
    { rows },
    { name: 'ours', call: 'pull', args: [rows] },
    { name: 'ours', call: 'putRaw', args: [rows, 'fetch and put'] },
    { name: 'ours', call: 'putRaw', args: [rows, 'only put'] },
  )
  const work = '20,000 rows pulled'
  compare({ work, against: 'fetch and raw bulkPut' }, ours, fetched)
  compare({ work, against: 'raw bulkPut alone' }, ours, put)
})
