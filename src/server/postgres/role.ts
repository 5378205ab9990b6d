import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { migrate } from './migrate.ts'
import * as tables from './tables.ts'

/** Owns nothing and can change nothing but rows: whoever gets a statement past the server gets no further. */
export const appRole = 'soma_app'

/** What is written once: corrected by another row, never by a change of the first. */
const appendOnly = ['entries', 'transfers', 'audit']

const attributes =
  'nosuperuser nocreatedb nocreaterole noreplication nobypassrls noinherit connection limit -1'

export type PreparedDatabase = {
  /** For the server's own connections. */
  url: string
  /** Why these connections run as the owner after all, and what to do about it. */
  problem?: string
}

/** What `prepareDatabase` makes of the role. */
type Options = {
  /** Lets the role log in with this one; for a database nobody else runs. Without it, the owner's connections take the role on. */
  password?: string
  /** Another name, for tests: roles belong to the whole cluster. */
  role?: string
}

/**
 * Brings the tables up to date as their owner, and grants the app's role what the server needs. Safe
 * from several processes at once. Where the owner may not make roles, the server goes on as the owner.
 */
export async function prepareDatabase(
  ownerUrl: string,
  { password, role = appRole }: Options = {},
): Promise<PreparedDatabase> {
  if (password !== undefined) {
    await withClient(ownerUrl, async (client) => {
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
  const isMade = await withClient(ownerUrl, async (client) => {
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
 * Makes the role where it is missing. Roles belong to the cluster, and no lock of one database keeps
 * a server of another away: so it is tried again when two did the same at once.
 */
async function makeRole(client: pg.Client, role: string) {
  await withRetries(async () => {
    const asked = 'select 1 from pg_roles where rolname = $1'
    const { rowCount } = await client.query(asked, [role])
    if (!rowCount) await client.query(`create role ${pg.escapeIdentifier(role)} ${attributes}`)
  })
  await assertUnprivileged(client, role)
}

/** Statements that change a role take no parameters. */
const allowLogin = (client: pg.Client, role: string, password: string) =>
  withRetries(() =>
    client.query(
      `alter role ${pg.escapeIdentifier(role)} login password ${pg.escapeLiteral(password)}`,
    ),
  )

/** Who makes a role is its member, but may not become it yet (PostgreSQL 16). */
async function allowSetRole(client: pg.Client, role: string) {
  const name = pg.escapeIdentifier(role)
  const mayTakeOn = await client.query(`set role ${name}`).then(done, failed)
  if (mayTakeOn) await client.query('reset role')
  else await withRetries(() => client.query(`grant ${name} to current_user`))
}

/** A role of that name that may do more was made by somebody else, for something else. */
async function assertUnprivileged(client: pg.Client, role: string) {
  const { rows } = await client.query<{ mighty: boolean }>(
    `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls or exists (
       select 1 from pg_auth_members where member = r.oid
     ) as mighty from pg_roles r where rolname = $1`,
    [role],
  )
  if (rows[0]?.mighty) throw new Error('The role has rights beyond the tables')
}

/** Two did the same at once: the role is there now, or its row was being written. */
const collisions = ['42710', '23505', 'XX000', '40001', '40P01']

async function withRetries(work: () => Promise<unknown>) {
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

/** The role's rights in this database, whole: also to tables that a new version brought. */
async function grantTables(client: pg.Client, role: string) {
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

/** Takes from everybody what PostgreSQL gives them unasked: tables, temporary ones too. */
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

/** The same user, whose connections take the role on before their first statement. */
function asRole(ownerUrl: string, role: string): string {
  const url = new URL(ownerUrl)
  const before = url.searchParams.get('options')
  url.searchParams.set('options', [before, `-c role=${role}`].filter(Boolean).join(' '))
  return url.href
}

async function actsAs(url: string, role: string): Promise<boolean> {
  try {
    return await withClient(url, async (client) => {
      await client.query('select 1 from settings limit 1')
      const asked = 'select current_user::text as name'
      const { rows } = await client.query<{ name: string }>(asked)
      return rows[0]?.name === role
    })
  } catch {
    // A connection pooler may refuse the start-up option: the caller goes on without the role.
    return false
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
