import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { openPostgres, type PostgresRepo } from '#server/postgres/open-postgres.ts'
import { preparePooledDatabase } from '#server/postgres/role/pooled-role.ts'
import { newDelivery } from '../../../helpers/database/new-delivery.ts'
import { type Pooler, startPooler } from '../../../helpers/database/pooler.ts'
import { type Replicated, replicatedPostgres } from '../../../helpers/database/replicated.ts'
import { hasProgram } from '../../../helpers/programs.ts'

/* A standby takes over behind a pooler, which keeps the connections of its clients. */

describe.runIf(hasProgram('pgbouncer'))('a failover behind a pooler', () => {
  let database: Replicated
  let pooler: Pooler
  let repo: PostgresRepo
  beforeAll(async () => {
    database = await replicatedPostgres()
    pooler = await startPooler(database.ownerUrl, { connections: 4 })
    const url = pooler.through(database.url)
    await preparePooledDatabase(database.ownerUrl, url)
    // Nothing listens, so no new connection tells the server that PostgreSQL is another one.
    repo = openPostgres(url, undefined, { direct: database.ownerUrl })
  })
  afterAll(async () => {
    await repo.close()
    await pooler.stop()
    await database.close()
  })

  const add = () => repo.transaction(({ deliveries }) => deliveries.add(newDelivery()))
  const list = (since?: string) =>
    repo.read(({ deliveries }) => deliveries.list({ of: 'everyone' }, { limit: 1_000 }, since))

  test('a pooler that answers nothing is given up, and its connections with it', async () => {
    // Below the server's own limit, so that the test is quick.
    Object.assign(repo.pool.options, { query_timeout: 300 })
    await Promise.all([1, 2, 3].map(() => repo.ping()))
    pooler.pause()
    await expect(add()).rejects.toMatchObject({ reason: 'unavailable' })
    await expect(repo.ping()).rejects.toMatchObject({ reason: 'unavailable' })
    pooler.resume()
    await add()
  })

  test('R93: every cursor from before a failover gets a full answer', async () => {
    await add()
    const { rows: kept, cursor: older } = await list()
    await database.caughtUp()
    await database.stopReceiving()
    for (let n = 0; n < 5; n++) await add()
    const newer = (await list()).cursor

    await database.crashPrimary()
    await expect(add()).rejects.toMatchObject({ reason: 'unavailable' })
    await database.promote()
    await pooler.redirect(database.standbyOwnerUrl)
    await expect.poll(() => repo.ping().then(() => 'up', String)).toBe('up')

    // More changes than were lost: their transaction numbers are given a second time.
    const added: Delivery[] = []
    for (let n = 0; n < 8; n++) added.push(await add())
    for (const cursor of [newer, older]) {
      const full = await list(cursor)
      expect(full.removed).toBeUndefined()
      expect(full.rows).toHaveLength(kept.length + added.length)
    }
  })
})
