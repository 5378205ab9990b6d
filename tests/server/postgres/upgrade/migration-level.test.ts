import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { afterEach, expect, inject, test } from 'vitest'
import { prepareDatabase } from '#server/postgres/role/role.ts'
import { buildLevel, recordLevel } from '#server/postgres/upgrade/migration-level.ts'
import { migrationsFolder } from '#server/project-root.ts'
import { StartupError } from '#server/startup-error.ts'
import { type FreshDatabase, freshDatabase } from '../../../helpers/database/postgres.ts'
import { secretKey } from '../../../helpers/server/server.ts'

/* A process that starts over a database which a newer version has migrated. */

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** The migrations of a newer version: ours, and one more for each of these texts. */
function newerMigrations(...texts: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'soma-newer-'))
  ends.push(() => rmSync(folder, { recursive: true }))
  cpSync(migrationsFolder, folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  for (const [index, text] of texts.entries()) {
    const tag = `9${index}00_newer`
    const when = buildLevel() + (index + 1) * 1_000
    journal.entries.push({ ...journal.entries.at(-1), idx: 9_000 + index, when, tag })
    writeFileSync(join(folder, `${tag}.sql`), text)
  }
  writeFileSync(file, JSON.stringify(journal))
  return folder
}

/** A database that a version with these migrations beyond ours has migrated. */
async function newerDatabase(...texts: string[]): Promise<FreshDatabase> {
  const database = await freshDatabase(inject('postgresUrl'))
  ends.push(database.drop)
  await migrateBeyond(database, ...texts)
  return database
}

async function migrateBeyond(database: FreshDatabase, ...texts: string[]): Promise<void> {
  const folder = newerMigrations(...texts)
  await asOwner(database, async (client) => {
    await runMigrations(drizzle(client), { migrationsFolder: folder })
    await recordLevel(client, folder)
  })
}

async function asOwner<T>(
  { ownerUrl }: FreshDatabase,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const levels = (database: FreshDatabase) =>
  asOwner(database, async (client) => {
    const { rows } = await client.query<{ name: string; value: string }>(
      "select name, value from settings where name like '%migration%' order by name",
    )
    return rows.map(({ value }) => Number(value))
  })

const adds = (table: string) => `-- expands\ncreate table ${table} (id int)`
const renames = 'alter table zones rename column name to title'

test('its own migrations are noted as the level of the database; it starts where every newer migration only adds something, and leaves the level as it is', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  ends.push(database.drop)
  expect(await levels(database)).toEqual([buildLevel(), expect.any(Number)])
  await migrateBeyond(database, adds('one'), adds('two'))
  const before = await levels(database)
  expect(before[0]).toBe(buildLevel() + 2_000)
  const { password } = new URL(database.ownerUrl)
  await prepareDatabase(database.ownerUrl, { password })
  expect(await levels(database)).toEqual(before)
})

test.each([
  ['one takes something away', [renames, adds('two')]],
  ['one does not say what it does', ['create table one (id int)']],
])('it does not start where of the newer migrations %s', async (_, texts) => {
  const database = await newerDatabase(...texts)
  const before = await levels(database)
  const preparing = prepareDatabase(database.ownerUrl, {
    password: new URL(database.ownerUrl).password,
  })
  await expect(preparing).rejects.toThrow(StartupError)
  await expect(preparing).rejects.toThrow(/^The database was migrated by a newer version/)
  expect(await levels(database)).toEqual(before)
})

test('the built server prints one line and exits with 1', async () => {
  const database = await newerDatabase(renames)
  const main = join(import.meta.dirname, '../../../../dist/server/main.js')
  const env = { PATH: process.env.PATH, DATABASE_URL: database.ownerUrl, SECRET_KEY: secretKey }
  const dataDir = mkdtempSync(join(tmpdir(), 'soma-data-'))
  ends.push(() => rmSync(dataDir, { recursive: true }))
  const child = spawn(process.execPath, [main], { env: { ...env, DATA_DIR: dataDir } })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      printed += bytes
    })
  expect(await once(child, 'close')).toEqual([1, null])
  expect(printed.trim()).toMatch(
    /^The database was migrated by a newer version \(\d{4}-\d\d-\d\d\); .+ made before it\.$/,
  )
}, 30_000)
