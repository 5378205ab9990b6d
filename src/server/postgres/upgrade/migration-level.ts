import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { newestMigrationSetting } from '../../ports/stores/settings-store.ts'
import { migrationsFolder } from '../../project-root.ts'
import { StartupError } from '../../startup-error.ts'

/*
 * The level of a database is the number of its newest migration: when it was written, in milliseconds
 * since 1970. While processes are replaced one after another, some of the version before run over tables
 * that the new version has migrated. Those that ran already go on. One that starts does so only when every
 * migration it does not know says that it may.
 */

/** The first line of a migration that takes nothing away from processes of the version before. */
const expandsLine = '-- expands'

/** Names the lowest level whose processes may start over this database. */
const oldestStartingSetting = 'oldest migration that may start'

type Migration = { level: number; name: string; expands: boolean }

/** The migrations in this folder, oldest first. */
function migrationsIn(folder: string): Migration[] {
  const journal = readFileSync(join(folder, 'meta/_journal.json'), 'utf8')
  const { entries }: { entries: { when: number; tag: string }[] } = JSON.parse(journal)
  return entries.map(({ when, tag }) => {
    const sql = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    return { level: when, name: tag, expands: sql.startsWith(expandsLine) }
  })
}

/** The level of this build. */
export function buildLevel(folder = migrationsFolder): number {
  return migrationsIn(folder).at(-1)?.level ?? 0
}

/**
 * Throws `StartupError` when the database has migrations that this build does not know, unless each of them
 * says that processes of the version before may start over it.
 */
export async function assertKnownLevel(client: pg.Client, folder = migrationsFolder) {
  const newest = await databaseLevel(client)
  const own = migrationsIn(folder).at(-1)
  if (!own || newest <= own.level) return
  const oldest = await setting(client, oldestStartingSetting)
  if (oldest !== undefined && Number(oldest) <= own.level) return
  throw new StartupError(
    `The database was migrated by a newer version (${dayOf(newest)}); this one knows its tables up to ${own.name}. ` +
      'Start the newer version, or restore a backup that was made before it.',
  )
}

/** Notes the level of the database, and the oldest level whose processes may start over it. */
export async function recordLevel(client: pg.Client, folder = migrationsFolder) {
  const all = migrationsIn(folder)
  const newest = await databaseLevel(client)
  const own = all.at(-1)
  // A newer version has noted both.
  if (!own || newest > own.level) return
  const lastContracting = all.findLastIndex(({ expands }) => !expands)
  await keepSetting(client, newestMigrationSetting, newest)
  await keepSetting(client, oldestStartingSetting, all[lastContracting]?.level ?? 0)
}

/** 0 for a database without tables. */
async function databaseLevel(client: pg.Client): Promise<number> {
  const asked = "select to_regclass('drizzle.__drizzle_migrations') is not null as there"
  const { rows } = await client.query<{ there: boolean }>(asked)
  if (!rows[0]?.there) return 0
  const newest =
    'select coalesce(max(created_at), 0)::text as level from drizzle.__drizzle_migrations'
  const found = await client.query<{ level: string }>(newest)
  return Number(found.rows[0]?.level)
}

async function setting(client: pg.Client, name: string): Promise<string | undefined> {
  const asked = 'select value from settings where name = $1'
  const { rows } = await client.query<{ value: string }>(asked, [name])
  return rows[0]?.value
}

const keepSetting = (client: pg.Client, name: string, value: number) =>
  client.query(
    `insert into settings (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value where settings.value <> excluded.value`,
    [name, `${value}`],
  )

const dayOf = (level: number) => new Date(level).toISOString().slice(0, 10)
