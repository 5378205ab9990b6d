import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { migrationsFolder } from '../../project-root.ts'

/** A numbered file of `migrations/`. `id`: when it was made, in milliseconds; Drizzle goes by it. */
export type Migration = { id: number; hash: string; statements: string[] }

/** The migrations of this version, in their order. */
export const knownMigrations = (): Migration[] =>
  readMigrationFiles({ migrationsFolder }).map(({ folderMillis, hash, sql }) => ({
    id: folderMillis,
    hash,
    statements: sql,
  }))

/** The migrations that this database has, in their order; empty in a database without tables. */
export async function appliedMigrations(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<Pick<Migration, 'id' | 'hash'>[]> {
  const there = await client.query(`select to_regclass('${list}') is not null as there`)
  if (!there.rows[0]?.there) return []
  const { rows } = await client.query<{ id: string; hash: string }>(
    `select created_at as id, hash from ${list} order by created_at`,
  )
  return rows.map(({ id, hash }) => ({ id: Number(id), hash }))
}

/** Where Drizzle keeps the list of applied migrations. */
const list = 'drizzle.__drizzle_migrations'

/** As Drizzle does it, but inside the caller's transaction. */
export async function applyMigrations(
  client: Pick<pg.ClientBase, 'query'>,
  migrations: Migration[],
): Promise<void> {
  await client.query('create schema if not exists drizzle')
  await client.query(
    `create table if not exists ${list} (id serial primary key, hash text not null, created_at bigint)`,
  )
  for (const { id, hash, statements } of migrations) {
    for (const statement of statements) await client.query(statement)
    await client.query(`insert into ${list} (hash, created_at) values ($1, $2)`, [hash, id])
  }
}

/** Removes every table and function that a migration of this version makes, and the list of applied ones. */
export async function dropEverything(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  for (const table of tablesOf(knownMigrations()))
    await client.query(`drop table if exists public."${table}" cascade`)
  for (const name of namesIn(knownMigrations(), /\bCREATE (?:OR REPLACE )?FUNCTION "?(\w+)"?/gi))
    await client.query(`drop function if exists public."${name}" cascade`)
  await client.query(`drop table if exists ${list}`)
}

/** Names of the tables that these migrations make. */
export const tablesOf = (migrations: Migration[]): string[] =>
  namesIn(
    migrations,
    /\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(?:"?public"?\.)?"?(\w+)"?/gi,
  )

function namesIn(migrations: Migration[], pattern: RegExp): string[] {
  const names = migrations.flatMap(({ statements }) =>
    statements.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)),
  )
  return [...new Set(names)]
}
