import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { limitsWith } from '#server/ports/limits.ts'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import { postgresDatabase, startTestServer, testOptions } from '../../../helpers/server/server.ts'

const options = {
  ...testOptions,
  limits: limitsWith({ sms: 1_000_000, signups: 1_000_000, resetRequests: 1_000_000 }),
}

/** The number of deadlocks that PostgreSQL ended in this database. */
async function deadlocksIn(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return rows[0]?.deadlocks ?? -1
}

test('simultaneous phone changes and confirmations of one account at two servers cause no deadlock', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  const shared = postgresDatabase(database)
  const [one, two] = [
    await startTestServer(shared, { options }),
    await startTestServer(shared, { options }),
  ]
  const { token } = await one.sender()
  const answers = await Promise.all(
    Array.from({ length: 24 }, async (_, n) => {
      const server = n % 2 ? one : two
      const body = { phone_number: `02777000${10 + n}`, code: 'nope' }
      if (n % 4 < 2) return server.raw('PATCH', '/users/me/phone', { token, body })
      const path = n % 8 < 4 ? '/verify/confirm' : '/verify/resend'
      return server.raw('POST', path, { token, body })
    }),
  )
  expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
  await two.close()
  await one.close()
  // Connections report their statistics when they end.
  expect(await deadlocksIn(database.url)).toBe(0)
  await database.drop()
}, 60_000)
