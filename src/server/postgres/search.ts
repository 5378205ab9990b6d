import { type AnyColumn, ilike, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

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

/** A `like` pattern for texts that contain this one; its wildcards are taken literally. */
export const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
