import { type AnyColumn, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { fold } from '#domain/fold.ts'

/** Rows in which any of the columns contains the text, folded; every row without a text. */
export function containsText(
  text: string | undefined,
  columns: (AnyColumn | SQL)[],
): SQL | undefined {
  if (!text) return undefined
  const pattern = patternOf(text)
  return or(...columns.map((column) => sql`fold(${column}) like ${pattern}`))
}

/** As `containsText`, over the column `search_text`, which is folded or holds nothing but ASCII in lower case. */
export const matchesSearch = (table: PgTable, text: string | undefined): SQL | undefined =>
  text ? sql`${table}.search_text like ${patternOf(text)}` : undefined

/** A `like` pattern for folded texts that contain this one; its wildcards are taken literally. */
export const patternOf = (text: string): string => `%${fold(text).replace(/[\\%_]/g, '\\$&')}%`
