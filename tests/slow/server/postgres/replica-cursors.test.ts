import fc from 'fast-check'
import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Repo } from '#server/ports/repo.ts'
import type { StoredDelivery } from '#server/ports/stores/delivery-stores.ts'
import { openPostgres, type PostgresRepo } from '#server/postgres/open-postgres.ts'
import { newDelivery } from '../../../helpers/database/new-delivery.ts'
import { type Replicated, replicatedPostgres } from '../../../helpers/database/replicated.ts'
import { present } from '../../../helpers/present.ts'

/* Cursors of a standby that is behind, and of its primary. */

let database: Replicated
let primary: PostgresRepo
/** Reads at the standby, however far it is behind. */
let standby: PostgresRepo
beforeAll(async () => {
  database = await replicatedPostgres()
  primary = openPostgres(database.url)
  standby = openPostgres(database.standbyUrl)
})
afterAll(async () => {
  await primary.close()
  await standby.close()
  await database.close()
})

/** A phone's copy of all deliveries: an older version of a row never replaces a newer one. */
function phone() {
  const rows = new Map<string, number>()
  let cursor: string | undefined
  return {
    rows: () => [...rows].sort(),
    async pull({ read }: Repo) {
      const list = { of: 'everyone' as const }
      const answer = await read(({ deliveries }) => deliveries.list(list, { limit: 1_000 }, cursor))
      const isFull = answer.removed === undefined
      if (isFull) rows.clear()
      for (const { ID, version } of answer.rows)
        rows.set(ID, Math.max(version, rows.get(ID) ?? version))
      cursor = answer.cursor
      return { isFull }
    },
  }
}

/** A transaction that stays open: it has changed a row and written another one. */
async function openChange(changed: StoredDelivery | undefined) {
  let end = () => {}
  const isEnded = new Promise<void>((done) => {
    end = done
  })
  let begun = () => {}
  const hasBegun = new Promise<void>((done) => {
    begun = done
  })
  const committed = primary.transaction(async ({ deliveries }) => {
    const { ID } = await deliveries.add(newDelivery())
    if (changed) await deliveries.save(changed, { ...changed, itemDescription: v7() })
    // Answered once both are written.
    await deliveries.get(ID)
    begun()
    await isEnded
  })
  await hasBegun
  return () => {
    end()
    return committed
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'add' as const }) },
  { weight: 3, arbitrary: fc.constant({ do: 'begin' as const }) },
  { weight: 3, arbitrary: fc.constant({ do: 'commit' as const }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('pull' as const),
      who: fc.nat(2),
      isAtStandby: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'pause' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'catch up' as const }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function run(steps: Step[]) {
  const phones = [phone(), phone(), phone()]
  const open: (() => Promise<void>)[] = []
  const rows: StoredDelivery[] = []
  const catchUp = async () => {
    await database.resumeReplay()
    await database.caughtUp()
  }
  for (const each of steps) {
    if (each.do === 'add')
      rows.push(await primary.transaction(({ deliveries }) => deliveries.add(newDelivery())))
    // At most four: the pool has twelve connections.
    if (each.do === 'begin' && open.length < 4) open.push(await openChange(rows.pop()))
    if (each.do === 'commit') await open.shift()?.()
    if (each.do === 'pull')
      await present(phones[each.who]).pull(each.isAtStandby ? standby : primary)
    if (each.do === 'pause') await database.pauseReplay()
    if (each.do === 'catch up') await catchUp()
  }
  for (const commit of open) await commit()
  await catchUp()
  const truth = phone()
  await truth.pull(primary)
  for (const [at, each] of phones.entries()) {
    await each.pull(at % 2 ? standby : primary)
    expect(each.rows()).toEqual(truth.rows())
  }
}

/** The standby shows what was committed after a transaction that is still open. */
const overtaken: Step[] = [
  { do: 'begin' },
  { do: 'add' },
  { do: 'catch up' },
  { do: 'pull', who: 0, isAtStandby: true },
  { do: 'pull', who: 1, isAtStandby: true },
  { do: 'commit' },
]

test('R73: whatever the order of changes and of pulls at the primary and at a standby that is behind, a phone holds the rows', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 30 }), run), {
    numRuns: 30,
    seed: 11,
    endOnFailure: true,
    examples: [[overtaken]],
  })
})

test('R73: a cursor of the standby is continued at the primary and the other way round without a full answer', async () => {
  const reader = phone()
  await reader.pull(standby)
  const commit = await openChange(undefined)
  for (const repo of [primary, standby, primary, standby]) {
    await primary.transaction(({ deliveries }) => deliveries.add(newDelivery()))
    await database.caughtUp()
    expect(await reader.pull(repo)).toEqual({ isFull: false })
  }
  await commit()
  await reader.pull(primary)
  const truth = phone()
  await truth.pull(primary)
  expect(reader.rows()).toEqual(truth.rows())
})

test('R73: a standby with very many transactions that may be open gives no cursor', async () => {
  const commit = await openChange(undefined)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  for (let n = 0; n < 250; n++) await owner.query('select pg_current_xact_id()')
  await owner.query("insert into settings values ('after them', '')")
  await owner.end()
  await database.caughtUp()
  await expect(phone().pull(standby)).rejects.toMatchObject({ reason: 'unavailable' })
  await commit()
})
