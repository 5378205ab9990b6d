import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { appRole, prepareDatabase } from '#server/postgres/role.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

const template = 'soma_template'

/** Vitest's global set-up: one real PostgreSQL for the whole run, stopped and wiped at its end. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'soma-tests-'))
  // When tests run as root, PostgreSQL runs as another who must get in.
  await chmod(folder, 0o755)
  const postgres = await startEmbeddedPostgres(folder)
  // A run that is told to end takes its database along, for whose own farewell Vitest does not wait.
  const endAtOnce = () => {
    const [pid] = readFileSync(join(postgres.folder, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGQUIT')
    wipe()
  }
  const wipe = () => {
    for (const each of [postgres.folder, folder])
      rmSync(each, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', endAtOnce)
  // Nothing in it has to survive a power cut, and flushing costs more than the tests' own queries.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await ask(postgres.url, `alter system set ${setting} = off`)
  await ask(postgres.url, 'select pg_reload_conf()')
  await ask(postgres.url, `create database ${template}`)
  // The role has the owner's password here, so that a test that knows one address knows the other.
  const { password } = new URL(postgres.url)
  await prepareDatabase(databaseAt(postgres.url, template), { password })
  project.provide('postgresUrl', postgres.url)
  return async () => {
    process.off('exit', endAtOnce)
    await postgres.stop()
    wipe()
  }
}

export type FreshDatabase = {
  /** As the role a server runs as. */
  url: string
  /** As the owner of the tables: for tests alone. */
  ownerUrl: string
  drop(): Promise<void>
}

/** An empty database with all tables, of its own, in a moment. */
export async function freshDatabase(postgresUrl: string): Promise<FreshDatabase> {
  const name = `soma_${randomBytes(6).toString('hex')}`
  await ask(postgresUrl, `create database ${name} template ${template}`)
  const ownerUrl = databaseAt(postgresUrl, name)
  return {
    url: asApp(ownerUrl),
    ownerUrl,
    drop: () => ask(postgresUrl, `drop database ${name} with (force)`),
  }
}

function asApp(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  url.username = appRole
  return url.href
}

/** One statement, asked on a connection of its own. */
export async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function databaseAt(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}
