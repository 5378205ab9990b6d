import { sql } from 'drizzle-orm'
import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Op } from '#contract/endpoints.ts'
import { replicaReader } from '#server/postgres/connection/replica.ts'
import type { Db } from '#server/postgres/db.ts'
import { openPostgres, type PostgresRepo } from '#server/postgres/open-postgres.ts'
import { type Replicated, replicatedPostgres } from '../../../helpers/database/replicated.ts'
import { present, startTestServer } from '../../../helpers/server/server.ts'

/* Reads at a standby (DATABASE_URL_REPLICA). */

let database: Replicated
let repo: PostgresRepo
beforeAll(async () => {
  database = await replicatedPostgres()
  repo = openPostgres(database.url)
  await repo.ping()
  await database.caughtUp()
})
afterAll(async () => {
  await repo.close()
  await database.close()
})

/** Where the work runs. */
async function place(db: Db): Promise<string> {
  const { rows } = await db.execute<{ at: string }>(
    sql`select case when pg_is_in_recovery() then 'standby' else 'primary' end as at`,
  )
  return present(rows[0]).at
}

const keep = (name: string) =>
  repo.transaction(({ settings }) => settings.keep(name, 'written at the primary'))

test('a read at the replica sees what was committed before it, through whichever process', async () => {
  const other = openPostgres(database.url, undefined, { replica: database.standbyUrl })
  for (let n = 0; n < 60; n++) {
    // While it is paused, the read goes to the primary; afterwards it waits for the replica.
    if (n === 20) await database.pauseReplay()
    if (n === 25) await database.resumeReplay()
    await keep(`row ${n}`)
    const seen = await other.readAtReplica?.(({ settings }) => settings.get(`row ${n}`))
    expect(seen).toBe('written at the primary')
  }
  await other.close()
})

test('a replica that has replayed everything answers; one that is behind or down does not, and a second later it is asked again', async () => {
  const reader = replicaReader(database.standbyUrl, repo.pool)
  const at = async () => (await reader.read(place))?.value
  await keep('one')
  expect(await at()).toBe('standby')

  await database.pauseReplay()
  await keep('two')
  expect(await at()).toBeUndefined()
  await database.resumeReplay()
  await expect.poll(at).toBe('standby')

  await database.stopStandby()
  expect(await at()).toBeUndefined()
  await database.startStandby()
  await expect.poll(at).toBe('standby')
  await reader.close()
})

test('R93: a replica that has not replayed the primary’s present life answers nothing, wherever its log has got to', async () => {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  const reader = replicaReader(database.standbyUrl, client)
  await database.caughtUp()
  expect((await reader.read(place))?.value).toBe('standby')
  await client.query('begin')
  await client.query(
    `insert into incarnations (id, first, database, started)
     select '00112233aabbccdd', first, database, started from incarnations order by written desc limit 1`,
  )
  expect(await reader.read(place)).toBeUndefined()
  await client.end()
  await reader.close()
})

test('lists of admins and jobs on offer are read at the replica, with the caller’s own changes in them; nothing else is', async () => {
  const atReplica: Op[] = []
  let op: Op = 'zones'
  const server = await startTestServer({
    url: database.url,
    drop: async () => undefined,
    open() {
      const opened = openPostgres(database.url, undefined, { replica: database.standbyUrl })
      return {
        ...opened,
        readAtReplica: async (work) => {
          atReplica.push(op)
          return present(opened.readAtReplica)(work)
        },
      }
    },
  })
  const admin = await server.admin()
  const asked = async <O extends Op>(name: O) => {
    op = name
    return (await server.ask(name, { token: admin.token })).value
  }
  for (let n = 0; n < 10; n++) {
    await server.ask('addZone', { token: admin.token, key: v7(), body: { name: `Zone ${n}` } })
    const entries = (await asked('adminAudit'))?.entries ?? []
    expect(entries[0]).toMatchObject({ Action: 'addZone', Subject: `Zone ${n}` })
  }
  await asked('adminStats')
  await asked('adminZones')
  await asked('me')
  await asked('senderDeliveries')
  expect([...new Set(atReplica)]).toEqual(['adminAudit', 'adminStats'])
  await server.close()
})

test('a change is acknowledged only when the synchronous standby has it, also beyond the time limit of statements', async () => {
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const setting = async (name: string, value: string) => {
    await owner.query(`alter system set ${name} = '${value}'`)
    await owner.query('select pg_reload_conf()')
  }
  await setting('synchronous_standby_names', 'nobody')
  const waiting = openPostgres(database.url)
  // Far below the server's own limit, so that the test is quick.
  waiting.pool.on('connect', (client) => void client.query('set statement_timeout = 200'))
  let isAcknowledged = false
  const change = waiting
    .transaction(({ settings }) => settings.keep('replicated', 'yes'))
    .then(() => {
      isAcknowledged = true
    })
  const waits = `select count(*)::int from pg_stat_activity where wait_event = 'SyncRep'`
  await expect.poll(async () => (await owner.query(waits)).rows[0]?.count).toBe(1)
  await new Promise((later) => setTimeout(later, 800))
  expect(isAcknowledged).toBe(false)
  await setting('synchronous_standby_names', '')
  await change
  expect(isAcknowledged).toBe(true)
  await waiting.close()
  await owner.end()
})
