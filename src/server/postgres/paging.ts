import { type AnyColumn, and, asc, desc, ilike, or, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { PgTable } from 'drizzle-orm/pg-core'
import { Refusal } from '#domain/errors.ts'
import { isStorableText, isTimestamp } from '../ports/storable-values.ts'

/** The pool, or one transaction of it: every statement is asked of one of the two. */
export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>

/** One way a list may be sorted: by this expression, whose text reads back as `type`. */
export type Sorting = { by: SQL | AnyColumn; type: 'timestamptz' | 'int' | 'text' }

/** Turns a page's `sort` and `after` into SQL: keyset paging, so that no page is skipped or read twice. */
export function keysetPage(
  sortings: Record<string, Sorting>,
  fallback: string,
  page: { sort?: string; after?: string; limit: number },
  id: AnyColumn,
) {
  const asked = page.sort ?? fallback
  const descending = asked.startsWith('-')
  const name = asked.replace(/^-/, '')
  const sorting = Object.hasOwn(sortings, name) ? sortings[name] : undefined
  if (!sorting) throw new Refusal('invalid', `This list cannot be sorted by ${asked.slice(0, 40)}.`)
  const turn = descending ? desc : asc
  return {
    order: [turn(sorting.by), turn(id)],
    /** What `next` is made of, to be selected with each row. */
    place: sql<string>`${sorting.by}::text`,
    past: page.after === undefined ? undefined : afterPosition(sorting, id, descending, page.after),
  }
}

function afterPosition(sorting: Sorting, id: AnyColumn, descending: boolean, after: string): SQL {
  const [value, last] = readPosition(after, sorting.type)
  const side = descending ? sql.raw('<') : sql.raw('>')
  const type = sql.raw(sorting.type)
  return sql`(${sorting.by}, ${id}) ${side} (${value}::${type}, ${last}::uuid)`
}

/** The rows of a page and, when there are more, where the next one starts. `found` has one row more than the page. */
export function splitPage<T>(
  found: { row: T; place: string; id: string }[],
  limit: number,
): { rows: T[]; next?: string } {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const next = found.length > limit && last ? writePosition(last.place, last.id) : undefined
  return { rows: rows.map(({ row }) => row), next }
}

/** Rows in which any of the columns holds the text. */
export function containsText(
  text: string | undefined,
  columns: (AnyColumn | SQL)[],
): SQL | undefined {
  if (!text) return undefined
  const pattern = patternOf(text)
  return or(...columns.map((column) => ilike(sql`${column}`, pattern)))
}

/** The same over the one column in which PostgreSQL keeps all that a search may find (migrations 0003 to 0005). */
export const matchesSearch = (table: PgTable, text: string | undefined): SQL | undefined =>
  text ? sql`${table}.search_text like lower(${patternOf(text)})` : undefined

/** For `like`: anything with this text in it, taken letter by letter. */
const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

export const all = (...conditions: (SQL | undefined)[]) => and(...conditions)

const writePosition = (value: string, id: string) =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url')

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether PostgreSQL reads the text as that type: what it cannot read would fail the whole call. */
const reads: Record<Sorting['type'], (value: string) => boolean> = {
  timestamptz: isTimestamp,
  int: (value) => /^-?\d{1,10}$/.test(value) && Math.abs(Number(value)) < 2 ** 31,
  text: isStorableText,
}

function readPosition(after: string, type: Sorting['type']): [string, string] {
  try {
    const place: unknown = JSON.parse(Buffer.from(after, 'base64url').toString())
    if (Array.isArray(place) && place.length === 2) {
      const [value, id]: unknown[] = place
      // A pattern would take a list of one text for that text.
      const areTexts = typeof value === 'string' && typeof id === 'string'
      if (areTexts && reads[type](value) && uuid.test(id)) return [value, id]
    }
  } catch {
    // Refused below: it is not a place of this list.
  }
  throw new Refusal('invalid', 'That page is not one of this list.')
}
