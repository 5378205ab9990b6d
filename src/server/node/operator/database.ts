import { openEmbeddedPostgres } from '../../embedded-postgres/embedded-postgres.ts'
import { withClient } from '../../postgres/connection/with-client.ts'
import type { Config } from '../startup/config.ts'

/** The deliveries of a database; none where it has no tables yet. */
const countOf = (url: string): Promise<number> =>
  withClient(url, 'soma operator', async (client) => {
    const { rows } = await client.query("select to_regclass('deliveries') as found")
    if (!rows[0]?.found) return 0
    return (await client.query('select count(*)::int as count from deliveries')).rows[0]?.count
  })

/**
 * Does `work` with the owner's address of the database for an operator's command: that of `DATABASE_URL`, past
 * its pooler, or the embedded one, which is started for it if it does not run. `print` is told which one it is, and how
 * many deliveries it holds. Throws `StartupError` when there is none.
 */
export async function withDatabase<T>(
  {
    databaseUrl,
    databaseUrlDirect = databaseUrl,
    dataDir,
  }: Pick<Config, 'databaseUrl' | 'databaseUrlDirect' | 'dataDir'>,
  work: (url: string) => Promise<T>,
  print?: (line: string) => void,
): Promise<T> {
  if (databaseUrlDirect) {
    const { host, pathname } = new URL(databaseUrlDirect)
    print?.(`Database: ${host}${pathname}, ${await countOf(databaseUrlDirect)} deliveries`)
    return work(databaseUrlDirect)
  }
  const database = await openEmbeddedPostgres(dataDir)
  try {
    print?.(`Database: ${dataDir}, ${await countOf(database.url)} deliveries`)
    return await work(database.url)
  } finally {
    await database.stop()
  }
}
