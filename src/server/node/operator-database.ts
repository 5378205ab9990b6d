import { openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import type { Config } from './startup/config.ts'

/**
 * Does `work` with the owner's address of the database for an operator's command: that of `DATABASE_URL`, or the
 * embedded one, which is started for it if it does not run. Throws `StartupError` when there is none.
 */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl) return work(databaseUrl)
  const database = await openEmbeddedPostgres(dataDir)
  try {
    return await work(database.url)
  } finally {
    await database.stop()
  }
}
