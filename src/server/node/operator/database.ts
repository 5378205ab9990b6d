import { openEmbeddedPostgres } from '../../embedded-postgres/embedded-postgres.ts'
import type { Config } from '../startup/config.ts'

/**
 * Does `work` with the owner's address of the database for an operator's command: that of `DATABASE_URL`, past
 * its pooler, or the embedded one, which is started for it if it does not run. Throws `StartupError` when there is none.
 */
export async function withDatabase<T>(
  {
    databaseUrl,
    databaseUrlDirect = databaseUrl,
    dataDir,
  }: Pick<Config, 'databaseUrl' | 'databaseUrlDirect' | 'dataDir'>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrlDirect) return work(databaseUrlDirect)
  const database = await openEmbeddedPostgres(dataDir)
  try {
    return await work(database.url)
  } finally {
    await database.stop()
  }
}
