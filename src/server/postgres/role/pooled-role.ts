import pg from 'pg'
import { recordIncarnation } from '../connection/incarnations.ts'
import { timeouts } from '../connection/pool.ts'
import { withClient } from '../connection/with-client.ts'
import { migrate } from '../upgrade/migrate.ts'
import { grantTables, type PreparedDatabase, preparing, withRetries } from './role.ts'

/**
 * As `prepareDatabase`, where `pooledUrl` leads through a pooler in transaction mode, which knows neither
 * `set role` nor settings of a session. The server works as the user of `pooledUrl`, who should be another
 * than the owner of the tables (`directUrl`): then they get the rights on the tables, and the time limits
 * of statements are set for them.
 */
export async function preparePooledDatabase(
  directUrl: string,
  pooledUrl: string,
): Promise<PreparedDatabase> {
  // First, because what follows takes transaction numbers.
  const owner = await withClient(directUrl, preparing, async (client) => {
    await recordIncarnation(client)
    return userOf(client)
  })
  const user = await withClient(pooledUrl, preparing, userOf)
  const isOther = user.name !== owner.name && !user.isSuperuser
  await migrate(directUrl, async (client) => {
    if (isOther) await grantTables(client, user.name)
  })
  if (!isOther) return { url: pooledUrl, problem: sameUserMessage }
  await withClient(pooledUrl, preparing, (client) => limitTimes(client, user))
  return { url: pooledUrl }
}

const sameUserMessage =
  'The server runs as the owner of its tables, without time limits for its statements: give DATABASE_URL ' +
  'another user than DATABASE_URL_DIRECT, one that is no superuser and owns nothing.'

type User = { name: string; isSuperuser: boolean; database: string }

async function userOf(client: pg.Client): Promise<User> {
  const { rows } = await client.query<User>(
    `select rolname as name, rolsuper as "isSuperuser", current_database()::text as database
     from pg_roles where rolname = current_user`,
  )
  if (!rows[0]) throw new Error('The database does not know its user')
  return rows[0]
}

/** Every role may change its own settings. They hold for connections that the pooler opens from now on. */
async function limitTimes(client: pg.Client, { name, database }: User) {
  for (const [setting, milliseconds] of Object.entries(timeouts))
    await withRetries(() =>
      client.query(
        `alter role ${pg.escapeIdentifier(name)} in database ${pg.escapeIdentifier(database)}
         set ${setting} = ${milliseconds}`,
      ),
    )
}
