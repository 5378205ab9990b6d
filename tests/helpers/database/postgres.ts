import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { appRole, prepareDatabase } from '#server/postgres/role/role.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

const template = 'soma_template'

/** Vitest's global set-up: one PostgreSQL for the whole run. */
export default async function setup(project: TestProject) {
  const { url, stop } = await startTestPostgres()
  project.provide('postgresUrl', url)
  return stop
}

/** Starts a PostgreSQL with a migrated template; `stop` ends it and removes its data. */
export async function startTestPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'soma-tests-'))
  // When the tests run as root, PostgreSQL runs as another user and must reach its folder.
  await chmod(folder, 0o755)
  const postgres = await startEmbeddedPostgres(folder)
  // On a stop signal the test runner exits without waiting for the tear-down, so the database is killed here.
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
  // The data need not survive a power cut, and flushing costs more than the tests' queries.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await ask(postgres.url, `alter system set ${setting} = off`)
  await ask(postgres.url, 'select pg_reload_conf()')
  await ask(postgres.url, `create database ${template}`)
  // The role has the owner's password, so that one URL can be derived from the other.
  const { password } = new URL(postgres.url)
  await prepareDatabase(databaseAt(postgres.url, template), { password })
  return {
    url: postgres.url,
    async stop() {
      process.off('exit', endAtOnce)
      await postgres.stop()
      wipe()
    },
  }
}

export type FreshDatabase = {
  /** Connects as the role a server runs as. */
  url: string
  /** Connects as the owner of the tables. */
  ownerUrl: string
  drop(): Promise<void>
}

/** Creates an empty database with all tables from the template. */
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

/** Runs one statement on a connection of its own. */
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
