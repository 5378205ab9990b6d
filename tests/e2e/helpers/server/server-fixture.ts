import { rmSync } from 'node:fs'
import { test as base } from '@playwright/test'
import pg from 'pg'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import { type NetworkProxy, startProxy } from '../../../helpers/network/proxy.ts'
import { type AppServer, freePort, startAppServer } from '../../../helpers/server/app-server.ts'
import { buildForOldest } from './build-copy.ts'
import { postgresVariable } from './postgres.ts'

export type ServerFixture = {
  /** The built server, on an empty database and data folder. */
  server: AppServer
  /** Stands between the phones and the server; tests set its network condition. */
  proxy: NetworkProxy
  /** The address of the app for phones: the proxy's. */
  origin: string
}

type Options = {
  /** A function is called before the server starts. */
  env?: NodeJS.ProcessEnv | (() => Promise<NodeJS.ProcessEnv>)
  /** Returns the folder of the build to run, when it is not this checkout's; called before the server starts. */
  root?: () => string
}

type Running = ServerFixture & {
  /** Makes the database as it was when the server had just started. */
  empty: () => Promise<void>
  stop: () => Promise<void>
}

/** Playwright's `test` with the server that all files of a worker share. */
export const test = base.extend<object, { sharedServer: Running }>({
  sharedServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed
    async ({}, use, { project }) => {
      const running = await startServer({}, project.name)
      await use(running)
      await running.stop()
    },
    { scope: 'worker' },
  ],
})

/**
 * The server of this worker, emptied, and a proxy before it, for all tests of a file; with options a server of
 * the file's own. Call it at the top level of the file, which takes `test` from here.
 */
export function serverFixture(options?: Options): () => ServerFixture {
  let fixture: ServerFixture | undefined
  if (options) {
    let own: Running | undefined
    // biome-ignore lint/correctness/noEmptyPattern: as above
    test.beforeAll(async ({}, { project }) => {
      own = await startServer(options, project.name)
      fixture = own
    })
    test.afterAll(() => own?.stop())
  } else
    test.beforeAll(async ({ sharedServer }) => {
      await sharedServer.empty()
      fixture = sharedServer
    })
  test.beforeEach(() => fixture?.proxy.set({ kind: 'fine' }))
  return () => {
    if (!fixture) throw new Error('The server fixture is only available inside a test.')
    return fixture
  }
}

/** Its database is a copy of the run's template; without one, as in benchmarks, the server starts its own. */
async function startServer({ env, root }: Options, projectName: string): Promise<Running> {
  const forOldest = projectName === 'oldest' ? buildForOldest() : undefined
  const shared = process.env[postgresVariable]
  const database = shared ? await freshDatabase(shared) : undefined
  const port = await freePort()
  const proxy = await startProxy(port)
  const server = await startAppServer({
    port,
    publicOrigin: proxy.origin,
    env: typeof env === 'function' ? await env() : env,
    root: root?.() ?? forOldest,
    databaseUrl: database?.ownerUrl,
  })
  const withClient = async (work: (client: pg.Client) => Promise<unknown>) => {
    const client = new pg.Client(server.database())
    await client.connect()
    await work(client).finally(() => client.end())
  }
  await withClient(keepRows)
  return {
    server,
    proxy,
    origin: proxy.origin,
    async empty() {
      await withClient(restoreRows)
      proxy.requests.splice(0)
      server.lines.splice(0)
    },
    async stop() {
      await proxy.close()
      await server.stop()
      await database?.drop()
      if (forOldest) rmSync(forOldest, { recursive: true })
    },
  }
}

type Table = { name: string; columns: string }

/**
 * The tables, with their columns that can be written. Without that of the incarnations: a copy of its rows is taken for
 * a restored backup (R93), and every list would be sent in full.
 */
async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select quote_ident(table_name) as name, string_agg(quote_ident(column_name), ', ') as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
       and table_name <> 'incarnations' group by 1`,
  )
  return rows
}

async function keepRows(client: pg.Client) {
  await client.query('create schema kept')
  for (const { name, columns } of await tablesOf(client))
    await client.query(`create table kept.${name} as select ${columns} from ${name}`)
}

/**
 * Without triggers, which would count and announce the rows. In a deadlock with work of the server's own, the
 * server's transaction is the one that ends: it is tried again there.
 */
async function restoreRows(client: pg.Client) {
  const tables = await tablesOf(client)
  const inserts = tables.map(
    ({ name, columns }) =>
      `insert into ${name} (${columns}) overriding system value select ${columns} from kept.${name};`,
  )
  await client.query(`
    begin;
    set local session_replication_role = replica;
    set local deadlock_timeout = '1min';
    truncate ${tables.map(({ name }) => name).join(', ')};
    ${inserts.join('\n')}
    commit;`)
}
