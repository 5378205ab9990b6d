import { type AnyColumn, and, asc, desc, not, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { Refusal } from '#domain/errors.ts'
import { isStorableText, isTimestamp } from '../ports/storable-values.ts'
import type { Page, Paged } from '../ports/stores/paging.ts'
import type { Db } from './db.ts'

/** One way a list may be sorted: by this expression, whose text PostgreSQL reads back as `type`. */
export type Sorting = { by: SQL | AnyColumn; type: 'timestamptz' | 'int' | 'text' }

type List<T extends PgTable, Row> = {
  page: Page
  sortings: Record<string, Sorting>
  /** The sorting of a page that names none; `-` before it reverses it. */
  fallback: string
  id: AnyColumn
  where: SQL | undefined
  toRow(row: T['$inferSelect']): Row
  /** How many rows the whole table has, where that is known without counting them. */
  countAll?(): Promise<number>
}

/** One page of a table and the number of all rows it is a page of. Refusal: invalid. */
export async function pagedList<T extends PgTable, Row>(
  db: Db,
  table: T,
  { page, sortings, fallback, id, where, toRow, countAll }: List<T, Row>,
): Promise<Paged<Row>> {
  const { order, position, after } = keysetPage(sortings, fallback, page, id)
  const found = await db
    .select({ row: table, position, id: sql<string>`${id}` })
    .from(table as PgTable)
    .where(and(where, after))
    .orderBy(...order)
    .limit(page.limit + 1)
  const { rows, next } = splitPage(found, page.limit)
  const count = async () => {
    const [counted] = await db
      .select({ total: countRows() })
      .from(table as PgTable)
      .where(where)
    return counted?.total ?? 0
  }
  const total = page.isUncounted ? rows.length : await (where || !countAll ? count() : countAll())
  return {
    rows: rows.map((row) => toRow(row as T['$inferSelect'])),
    next,
    total,
  }
}

/** The number of rows, as a number. */
export const countRows = () => sql<number>`count(*)::int`

/**
 * A page's `sort` and `after` as SQL. Keyset paging: the next page begins after the last row by its
 * values, so that no row is skipped or read twice while others are added. Refusal: invalid.
 */
export function keysetPage(
  sortings: Record<string, Sorting>,
  fallback: string,
  page: Page,
  id: AnyColumn,
) {
  const sort = page.sort ?? fallback
  const isDescending = sort.startsWith('-')
  const name = sort.replace(/^-/, '')
  const sorting = Object.hasOwn(sortings, name) ? sortings[name] : undefined
  if (!sorting) throw new Refusal('invalid', `This list cannot be sorted by ${sort.slice(0, 40)}.`)
  const direction = isDescending ? desc : asc
  return {
    by: sorting.by,
    direction,
    order: [direction(sorting.by), direction(id)],
    /** The row's place in the sorting, selected with each row: `next` is made of it. */
    position: sql<string>`${sorting.by}::text`,
    after:
      page.after === undefined ? undefined : afterPosition(sorting, id, isDescending, page.after),
    /** The rows up to this place in the sorting. */
    upTo: ({ position, id: last }: { position: string; id: string }) =>
      not(afterPosition(sorting, id, isDescending, writePosition(position, last))),
  }
}

function afterPosition(sorting: Sorting, id: AnyColumn, isDescending: boolean, after: string): SQL {
  const [value, last] = readPosition(after, sorting.type)
  const side = isDescending ? sql.raw('<') : sql.raw('>')
  const type = sql.raw(sorting.type)
  return sql`(${sorting.by}, ${id}) ${side} (${value}::${type}, ${last}::uuid)`
}

/** The rows of a page and, when there are more, where the next one starts. `found` has one row more than the page. */
export function splitPage<T>(
  found: { row: T; position: string; id: string }[],
  limit: number,
): { rows: T[]; next?: string } {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const next = found.length > limit && last ? writePosition(last.position, last.id) : undefined
  return { rows: rows.map(({ row }) => row), next }
}

const writePosition = (value: string, id: string) =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url')

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether PostgreSQL can read the text as that type. A text it cannot read would fail the call. */
const isReadable: Record<Sorting['type'], (value: string) => boolean> = {
  timestamptz: isTimestamp,
  int: (value) => /^-?\d{1,10}$/.test(value) && Math.abs(Number(value)) < 2 ** 31,
  text: isStorableText,
}

function readPosition(after: string, type: Sorting['type']): [string, string] {
  try {
    const position: unknown = JSON.parse(Buffer.from(after, 'base64url').toString())
    if (Array.isArray(position) && position.length === 2) {
      const [value, id]: unknown[] = position
      // A regular expression would accept an array of one text.
      const areTexts = typeof value === 'string' && typeof id === 'string'
      if (areTexts && isReadable[type](value) && uuid.test(id)) return [value, id]
    }
  } catch {
    // Not JSON: refused below.
  }
  throw new Refusal('invalid', 'That page is not one of this list.')
}
