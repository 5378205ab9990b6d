import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { preparePooledDatabase } from '#server/postgres/role/pooled-role.ts'
import { type Pooler, startPooler } from '../../../helpers/database/pooler.ts'
import { ask, type FreshDatabase, freshDatabase } from '../../../helpers/database/postgres.ts'
import { hasProgram } from '../../../helpers/programs.ts'
import { accountContract } from '../../../server/repo/contract/accounts.ts'
import { deliveryContract } from '../../../server/repo/contract/deliveries.ts'
import { recordContract } from '../../../server/repo/contract/records.ts'
import { repoFixture } from '../../../server/repo/contract/repo-fixture.ts'
import { requestContract } from '../../../server/repo/contract/requests.ts'
import { transactionContract } from '../../../server/repo/contract/transactions.ts'

/* A real pgbouncer in transaction mode. It has fewer connections than the server's pool. */

describe.runIf(hasProgram('pgbouncer'))('through a pooler in transaction mode', () => {
  let pooler: Pooler
  beforeAll(async () => {
    pooler = await startPooler(inject('postgresUrl'), { connections: 2 })
  })
  afterAll(() => pooler.stop())

  const pooled = async () => {
    const { url, ownerUrl, drop } = await freshDatabase(inject('postgresUrl'))
    return { url: pooler.through(url), ownerUrl, drop }
  }

  describe('the Repo', () => {
    const fixture = repoFixture(async () => {
      const { url, ownerUrl, drop } = await pooled()
      expect(await preparePooledDatabase(ownerUrl, url)).toEqual({ url })
      const repo = openPostgres(url, undefined, { direct: ownerUrl })
      return {
        repo,
        async close() {
          await repo.close()
          await drop()
        },
      }
    })
    transactionContract(fixture)
    accountContract(fixture)
    requestContract(fixture)
    deliveryContract(fixture)
    recordContract(fixture)
  })

  describe('the preparation', () => {
    let database: FreshDatabase
    beforeAll(async () => {
      database = await pooled()
    })
    afterAll(() => database.drop())

    /** Runs statements as one session of this address would. */
    async function rowsOf(url: string, ...statements: string[]) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        const rows: unknown[] = []
        for (const each of statements) rows.push(...(await client.query(each)).rows)
        return rows
      } finally {
        await client.end()
      }
    }

    test('gives the user of DATABASE_URL the rows, and time limits in its connections', async () => {
      const { url, ownerUrl } = database
      await ask(ownerUrl, 'revoke all on deliveries from soma_app')
      await ask(ownerUrl, 'grant delete on entries to soma_app')
      await preparePooledDatabase(ownerUrl, url)
      // The settings hold for new connections; another pooler has no other ones.
      const another = await startPooler(inject('postgresUrl'), { connections: 2 })
      onTestFinished(() => another.stop())
      const fresh = another.through(url)
      const asked = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
      expect(await rowsOf(fresh, ...asked.map((each) => `show ${each}`))).toEqual([
        { statement_timeout: '15s' },
        { lock_timeout: '5s' },
        { idle_in_transaction_session_timeout: '30s' },
      ])
      expect(await rowsOf(fresh, 'select count(*)::int from deliveries')).toEqual([{ count: 0 }])
      await expect(rowsOf(fresh, 'delete from entries')).rejects.toThrow('permission denied')
      expect(await rowsOf(ownerUrl, 'show statement_timeout')).toEqual([{ statement_timeout: '0' }])
    })

    test('says so when the user of DATABASE_URL is the owner, and the server works all the same', async () => {
      const { ownerUrl } = database
      const url = pooler.through(ownerUrl)
      const { problem } = await preparePooledDatabase(ownerUrl, url)
      expect(problem).toContain('another user than DATABASE_URL_DIRECT')
      const repo = openPostgres(url, undefined, { direct: ownerUrl })
      await repo.transaction(({ settings }) => settings.keep('through', 'the pooler'))
      expect(await repo.read(({ settings }) => settings.get('through'))).toBe('the pooler')
      await repo.close()
    })
  })
})
