import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './db.ts'

/*
 * Drizzle takes longer to write a statement of thirty columns than PostgreSQL takes to run it. Those of every
 * change are therefore written once for each connection, with placeholders, and kept by their store:
 *
 *     const locked = once(() => db.select().from(users).where(eq(users.id, sql.placeholder('id'))).prepare(''))
 *     … await locked().execute({ id })
 *
 * Their name is empty: a `Connection` gives one to every statement.
 */

/** Makes a value at its first use. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A placeholder for each of these columns, by the column's name: what `values` and `set` take. */
export const placeholdersOf = <T extends PgTable, K extends keyof T['_']['columns'] & string>(
  table: T,
  names: readonly K[],
): { [Name in K]: SQL } => {
  const columns = getTableColumns(table)
  return Object.fromEntries(
    names.map((name) => [name, sql`${sql.param(sql.placeholder(name), nullable(columns[name]))}`]),
  ) as { [Name in K]: SQL }
}

/** Drizzle passes a placeholder's value to the column's encoder, which does not expect null. */
const nullable = (column: Column | undefined) => ({
  mapToDriverValue: (value: unknown) =>
    value === null || !column ? value : column.mapToDriverValue(value),
})

/** Returns the function that inserts one row of these columns (`Db.write`). */
export function insertOf<T extends PgTable, K extends keyof T['_']['columns'] & string>(
  db: Db,
  table: T,
  names: readonly K[],
) {
  const insert = once(() =>
    db
      .insert(table)
      .values(placeholdersOf(table, names) as never)
      .prepare(''),
  )
  return (row: { [Name in K]: T['$inferInsert'][Name & keyof T['$inferInsert']] }) =>
    db.write(insert().execute(row))
}
