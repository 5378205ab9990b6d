import { type AnyColumn, ilike, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { idEndOf } from '#domain/deliveries/reference.ts'

/** Rows in which any of the columns contains the text; every row without a text. */
export function containsText(
  text: string | undefined,
  columns: (AnyColumn | SQL)[],
): SQL | undefined {
  if (!text) return undefined
  const pattern = patternOf(text)
  return or(...columns.map((column) => ilike(sql`${column}`, pattern)))
}

/** As `containsText`, over the indexed column `search_text` that migrations 0003 to 0005 add to a table. */
export const matchesSearch = (table: PgTable, text: string | undefined): SQL | undefined =>
  text ? sql`${table}.search_text like lower(${patternOf(text)})` : undefined

/** As `matchesSearch`, where `search_text` ends with the row's ID: a reference finds the rows it may stand for (R98). */
export function matchesReference(table: PgTable, text: string | undefined): SQL | undefined {
  const end = text && idEndOf(text)
  return end ? sql`${table}.search_text like ${`%${end}`}` : matchesSearch(table, text)
}

/** A `like` pattern for texts that contain this one; its wildcards are taken literally. */
export const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
