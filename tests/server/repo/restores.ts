import fc from 'fast-check'
import { v7 } from 'uuid'
import { expect, inject, test } from 'vitest'
import type { Status } from '#domain/deliveries/delivery.ts'
import type { Repo } from '#server/ports/repo.ts'
import type { DeliveryList } from '#server/ports/stores/delivery-stores.ts'
import { newDelivery } from '../../helpers/database/new-delivery.ts'
import {
  type Restorable,
  restorableDexie,
  restorablePostgres,
} from '../../helpers/database/restorable.ts'
import { present } from '../../helpers/present.ts'

const statuses: Status[] = ['Pending']
const lists: DeliveryList[] = [{ of: 'everyone' }, { of: { forDriver: v7() }, statuses }]

/** One phone's copy of a list, kept by its answers. */
export function reader(list: DeliveryList) {
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

export const add = (repo: Repo) =>
  repo.transaction(({ deliveries }) => deliveries.add(newDelivery()))
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
export async function run(database: Restorable, steps: Step[]) {
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

/** Readers hold rows that the restore loses. */
export const lostRows: Step[] = [
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

/** Whatever the order of starts, writes, restores and pulls, a reader holds the rows: so many random orders. */
export function randomRestores({ indexedDb, postgres }: { indexedDb: number; postgres: number }) {
  test('R93: whatever the order of starts, writes, restores and pulls, a reader holds the rows of IndexedDB', () =>
    holds(async () => restorableDexie(), indexedDb, 40))

  test('R93: whatever the order of starts, writes, restores and pulls, a reader holds the rows of PostgreSQL, which another database replaces while the servers run', () =>
    holds(() => restorablePostgres(inject('postgresUrl')), postgres, 30))
}
