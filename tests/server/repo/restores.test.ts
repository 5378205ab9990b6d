import fc from 'fast-check'
import pg from 'pg'
import { v7 } from 'uuid'
import { expect, inject, test } from 'vitest'
import type { Status } from '#domain/deliveries/delivery.ts'
import type { Repo } from '#server/ports/repo.ts'
import type { DeliveryList } from '#server/ports/stores/deliveries.ts'
import { openPostgres } from '#server/postgres/repo.ts'
import { prepareDatabase } from '#server/postgres/role.ts'
import { newDelivery } from '../../helpers/database/new-delivery.ts'
import { freshDatabase } from '../../helpers/database/postgres.ts'
import {
  type Restorable,
  restorableDexie,
  restorablePostgres,
} from '../../helpers/database/restorable.ts'
import { restorableCluster } from '../../helpers/database/restorable-cluster.ts'
import { present } from '../../helpers/present.ts'

const statuses: Status[] = ['Pending']
const lists: DeliveryList[] = [{ of: 'everyone' }, { of: { forDriver: v7() }, statuses }]

/** One phone's copy of a list, kept by its answers. */
function reader(list: DeliveryList) {
  const rows = new Map<string, number>()
  let cursor: string | undefined
  return async function pull(repo: Repo) {
    const ask = (since?: string) =>
      repo.read(({ deliveries }) => deliveries.list(list, { limit: 1_000 }, since))
    const answer = await ask(cursor)
    if (!answer.removed) rows.clear()
    for (const { ID, version } of answer.rows) rows.set(ID, version)
    for (const id of answer.removed ?? []) rows.delete(id)
    cursor = answer.cursor
    const truth = await ask()
    expect([...rows].sort()).toEqual(truth.rows.map(({ ID, version }) => [ID, version]).sort())
    return { isFull: answer.removed === undefined }
  }
}

const add = (repo: Repo) => repo.transaction(({ deliveries }) => deliveries.add(newDelivery()))
async function cancelOne(repo: Repo, pick: number) {
  const { rows } = await repo.read(({ deliveries }) =>
    deliveries.list({ of: 'everyone', statuses }, { limit: 1_000 }),
  )
  const chosen = rows[pick % Math.max(1, rows.length)]
  if (chosen)
    await repo.transaction(({ deliveries }) =>
      deliveries.save(chosen, { ...chosen, status: 'Cancelled' }),
    )
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), times: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick: fc.nat(9) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pull' as const), who: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('start' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('backup' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), pick: fc.nat(3) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Runs the steps at two processes in turn, and compares every reader with the server at each pull. */
async function run(database: Restorable, steps: Step[]) {
  const readers = [0, 1, 2, 3, 4, 5].map((at) => reader(present(lists[at % lists.length])))
  const backups: (() => Promise<void>)[] = [await database.backup()]
  let other = database.open()
  let turn = 0
  const process = () => (turn++ % 2 ? other : database.repo)
  for (const each of steps) {
    if (each.do === 'add') for (let n = 0; n <= each.times; n++) await add(process())
    if (each.do === 'cancel') await cancelOne(process(), each.pick)
    if (each.do === 'pull') await readers[each.who]?.(process())
    if (each.do === 'backup') backups.push(await database.backup())
    if (each.do === 'restore') {
      await other.close()
      await backups[each.pick % backups.length]?.()
      other = database.open()
    }
    if (each.do === 'start') {
      await other.close()
      other = database.open()
    }
  }
  for (const pull of readers) await pull(process())
  await other.close()
}

const about = 'whatever the order of starts, writes, restores and pulls, a reader holds the rows'

/** Readers hold rows that the restore loses. */
const lostRows: Step[] = [
  { do: 'add', times: 3 },
  { do: 'pull', who: 0 },
  { do: 'pull', who: 1 },
  { do: 'restore', pick: 0 },
  { do: 'add', times: 2 },
  { do: 'pull', who: 0 },
  { do: 'start' },
  { do: 'add', times: 1 },
  { do: 'pull', who: 1 },
]

/** As `fc.assert` of `run`, each run on a database of its own. */
const holds = (open: () => Promise<Restorable>, runs: number, size: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: size }), async (steps) => {
      const database = await open()
      try {
        await run(database, steps)
      } finally {
        await database.close()
      }
    }),
    { numRuns: runs, seed: 7, endOnFailure: true, examples: [[lostRows]] },
  )

test(`R93: ${about} of IndexedDB`, () => holds(async () => restorableDexie(), 40, 40), 120_000)

test(
  `R93: ${about} of PostgreSQL, which another database replaces while the servers run`,
  () => holds(() => restorablePostgres(inject('postgresUrl')), 4, 30),
  120_000,
)

test('R93: after a restore of PostgreSQL’s files, which gives transaction numbers again, a cursor from after the backup gets a full answer', async () => {
  const database = await restorableCluster()
  try {
    const { repo } = database
    const [asleep, early, late] = [0, 1, 2].map(() => reader({ of: 'everyone' }))
    const kept = await add(repo)
    await asleep?.(repo)
    await early?.(repo)
    const restore = await database.backup()
    // An ordinary restart of PostgreSQL loses nothing, and no phone reads everything again.
    expect(await early?.(repo)).toEqual({ isFull: false })
    await late?.(repo)
    for (let n = 0; n < 10; n++) await add(repo)
    await late?.(repo)
    await restore()
    // More changes than were lost: without incarnations the cursor would be one of this past.
    for (let n = 0; n < 15; n++) await add(repo)
    expect(await late?.(repo)).toEqual({ isFull: true })
    expect(await early?.(repo)).toEqual({ isFull: true })
    expect(await asleep?.(repo)).toEqual({ isFull: false })
    expect(await late?.(repo)).toEqual({ isFull: false })
    await repo.transaction(({ deliveries }) =>
      deliveries.save(kept, { ...kept, status: 'Cancelled' }),
    )
    await late?.(repo)
    await run(database, lostRows)
  } finally {
    await database.close()
  }
}, 60_000)

test('R93: a server that starts beside another one changes no cursor', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  const one = openPostgres(database.url)
  const pull = reader({ of: 'everyone' })
  await add(one)
  await pull(one)
  await prepareDatabase(database.ownerUrl, { password: new URL(database.ownerUrl).password })
  const two = openPostgres(database.url)
  await add(two)
  expect(await pull(two)).toEqual({ isFull: false })
  await add(one)
  expect(await pull(one)).toEqual({ isFull: false })
  await two.close()
  await one.close()
  await database.drop()
})

test('R93: rows that were restored from a dump into the same database have cursors of nobody', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  const repo = openPostgres(database.url)
  const pull = reader({ of: 'everyone' })
  await add(repo)
  await pull(repo)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  // What `pg_restore --clean` does to this table: the same lines, written by another transaction.
  await owner.query('create temp table dumped as select * from incarnations')
  await owner.query('delete from incarnations')
  await owner.query('insert into incarnations select * from dumped')
  await owner.end()
  expect(await pull(repo)).toEqual({ isFull: true })
  await repo.close()
  await database.drop()
})

test('R93: incarnations are forgotten when no cursor of theirs lives, and the newest never', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query('delete from incarnations')
  for (const [id, days] of [
    ['older', 30],
    ['old', 20],
    ['ended an hour ago', 10],
    ['before', 0],
  ])
    await owner.query(
      `insert into incarnations (id, first, database, started, at)
       values ($1, '3', 0, now(), now() - $2::int * interval '1 day')`,
      [id, days],
    )
  const repo = openPostgres(database.url)
  await repo.ping()
  const { rows } = await owner.query('select id from incarnations order by written')
  expect(rows.map(({ id }) => id)).toEqual(['ended an hour ago', 'before', expect.any(String)])
  await owner.end()
  await repo.close()
  await database.drop()
})
