import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { recordIncarnation } from '../connection/incarnations.ts'
import { withClient } from '../connection/with-client.ts'
import * as tables from '../tables.ts'
import { migrate } from '../upgrade/migrate.ts'

/** The role of the server's connections. It owns nothing and can change only rows. */
export const appRole = 'soma_app'

/** Tables whose rows are never changed or removed (R40, R57). */
const appendOnly = ['entries', 'transfers', 'audit']

/** How these connections are shown in `pg_stat_activity`; not as those of a server that runs. */
export const preparing = 'preparing soma'

const attributes =
  'nosuperuser nocreatedb nocreaterole noreplication nobypassrls noinherit connection limit -1'

export type PreparedDatabase = {
  /** For the server's own connections. */
  url: string
  /** Why these connections run as the owner instead, and what the operator can do. */
  problem?: string
}

type Options = {
  /** The role logs in with this password; for the embedded database. Without it the owner's connections do `set role`. */
  password?: string
  /** Another name, for tests: roles belong to the whole cluster. */
  role?: string
}

/**
 * Brings the tables up to date as their owner, and grants the app's role what the server needs. Several
 * processes may run it at once. Where the owner may not create roles, the server runs as the owner, and
 * `problem` says so.
 */
export async function prepareDatabase(
  ownerUrl: string,
  { password, role = appRole }: Options = {},
): Promise<PreparedDatabase> {
  // First, because what follows takes transaction numbers.
  await withClient(ownerUrl, preparing, recordIncarnation)
  if (password !== undefined) {
    await withClient(ownerUrl, preparing, async (client) => {
      await makeRole(client, role)
      await allowLogin(client, role, password)
    })
    await migrate(ownerUrl, async (client) => {
      await revokePublicRights(client)
      await grantTables(client, role)
    })
    return { url: loginUrl(ownerUrl, role, password) }
  }
  const url = asRole(ownerUrl, role)
  const isMade = await withClient(ownerUrl, preparing, async (client) => {
    await makeRole(client, role)
    await allowSetRole(client, role)
  }).then(done, failed)
  let isGranted = false
  await migrate(ownerUrl, async (client) => {
    isGranted = isMade && (await grantTables(client, role).then(done, failed))
  })
  const isUsable = isGranted && (await actsAs(url, role))
  return isUsable ? { url } : { url: ownerUrl, problem: noRoleMessage(role) }
}

const done = () => true
const failed = () => false

const noRoleMessage = (role: string) =>
  `The server runs as the owner of its tables: the role ${role} could not be made or used. ` +
  `As a superuser: create role ${role}; grant ${role} to <the user of DATABASE_URL>; then start again.`

/**
 * Creates the role if it is missing. Roles belong to the cluster, and a lock of one database does not stop
 * a server of another, so a collision is tried again.
 */
async function makeRole(client: pg.Client, role: string) {
  await withRetries(async () => {
    const asked = 'select 1 from pg_roles where rolname = $1'
    const { rowCount } = await client.query(asked, [role])
    if (!rowCount) await client.query(`create role ${pg.escapeIdentifier(role)} ${attributes}`)
  })
  await assertUnprivileged(client, role)
}

/** The password is in the text because statements that change a role take no parameters. */
const allowLogin = (client: pg.Client, role: string, password: string) =>
  withRetries(() =>
    client.query(
      `alter role ${pg.escapeIdentifier(role)} login password ${pg.escapeLiteral(password)}`,
    ),
  )

/** Lets the owner `set role`: from PostgreSQL 16 on the creator of a role is not allowed to by default. */
async function allowSetRole(client: pg.Client, role: string) {
  const name = pg.escapeIdentifier(role)
  const mayTakeOn = await client.query(`set role ${name}`).then(done, failed)
  if (mayTakeOn) await client.query('reset role')
  else await withRetries(() => client.query(`grant ${name} to current_user`))
}

/** Throws when the role has more rights: somebody else made it for something else. */
async function assertUnprivileged(client: pg.Client, role: string) {
  const { rows } = await client.query<{ mighty: boolean }>(
    `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls or exists (
       select 1 from pg_auth_members where member = r.oid
     ) as mighty from pg_roles r where rolname = $1`,
    [role],
  )
  if (rows[0]?.mighty) throw new Error('The role has rights beyond the tables')
}

/** Error codes of two servers that create or change the role at once. */
const collisions = ['42710', '23505', 'XX000', '40001', '40P01']

/** Does again what collided with another server that changes a role at the same time. */
export async function withRetries(work: () => Promise<unknown>) {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? `${error.code}` : ''
      if (tries >= 10 || !collisions.includes(code)) throw error
      await new Promise((done) => setTimeout(done, 20 * tries))
    }
  }
}

/** Grants the role its rights in this database, also to tables of a new version. */
export async function grantTables(client: pg.Client, role: string) {
  const name = pg.escapeIdentifier(role)
  await client.query('begin')
  try {
    await client.query(`grant usage on schema public to ${name}`)
    for (const table of tableNames()) {
      const rights = appendOnly.includes(table)
        ? 'select, insert'
        : 'select, insert, update, delete'
      await client.query(`revoke all on ${pg.escapeIdentifier(table)} from ${name}`)
      await client.query(`grant ${rights} on ${pg.escapeIdentifier(table)} to ${name}`)
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Revokes what PostgreSQL grants to every role: creating tables and temporary tables. */
async function revokePublicRights(client: pg.Client) {
  await client.query('revoke create on schema public from public')
  const { rows } = await client.query<{ name: string }>('select current_database()::text as name')
  const name = pg.escapeIdentifier(rows[0]?.name ?? '')
  await client.query(`revoke temporary on database ${name} from public`)
}

const tableNames = () =>
  Object.values(tables).flatMap((each) => (is(each, PgTable) ? [getTableName(each)] : []))

function loginUrl(ownerUrl: string, role: string, password: string): string {
  const url = new URL(ownerUrl)
  url.username = role
  url.password = password
  return url.href
}

/** The address with an option that does `set role` before the first statement of each connection. */
function asRole(ownerUrl: string, role: string): string {
  const url = new URL(ownerUrl)
  const before = url.searchParams.get('options')
  url.searchParams.set('options', [before, `-c role=${role}`].filter(Boolean).join(' '))
  return url.href
}

/** The address of a replica, with the option by which connections to `url` act as another role. */
export function withRoleOf(url: string, replicaUrl: string): string {
  const options = new URL(url).searchParams.get('options')
  const replica = new URL(replicaUrl)
  if (options !== null) replica.searchParams.set('options', options)
  return replica.href
}

async function actsAs(url: string, role: string): Promise<boolean> {
  try {
    return await withClient(url, preparing, async (client) => {
      await client.query('select 1 from settings limit 1')
      const asked = 'select current_user::text as name'
      const { rows } = await client.query<{ name: string }>(asked)
      return rows[0]?.name === role
    })
  } catch {
    // A connection pooler may refuse the option: it needs DATABASE_URL_DIRECT.
    return false
  }
}
