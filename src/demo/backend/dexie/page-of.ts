import { Refusal } from '#domain/errors.ts'
import { fold } from '#domain/fold.ts'
import { isStorableText, isTimestamp } from '#server/ports/storable-values.ts'
import type { Page, Paged } from '#server/ports/stores/paging.ts'

/** The orders a list offers: the value of a row that each compares. Equal values are ordered by ID. */
export type Sortings<T> = Record<string, (row: T) => string | number>

/**
 * One page of a list. `rows` are all rows of the list, in any order. Throws the refusal `invalid` for
 * an unknown order or a cursor of another list.
 */
export function pageOf<T>(
  rows: T[],
  sortings: Sortings<T>,
  idOf: (row: T) => string,
  { sort = '-createdAt', after, limit }: Page,
): Paged<T> {
  const name = sort.replace(/^-/, '')
  const by = Object.hasOwn(sortings, name) ? sortings[name] : undefined
  if (!by) throw new Refusal('invalid', `This list cannot be sorted by ${sort.slice(0, 40)}.`)
  const direction = sort.startsWith('-') ? -1 : 1
  const sorted = rows
    .map((row) => ({ row, position: [by(row), idOf(row)] as Position }))
    .sort((a, b) => direction * compare(a.position, b.position))
  const start = after === undefined ? undefined : parseCursor(after, name)
  const rest = start
    ? sorted.filter(({ position }) => direction * compare(position, start) > 0)
    : sorted
  const page = rest.slice(0, limit)
  const next = rest.length > limit ? page.at(-1)?.position : undefined
  return {
    rows: page.map(({ row }) => row),
    next: next && JSON.stringify(next),
    total: rows.length,
  }
}

/** Whether one of the texts contains the search text, both folded. True without a search text. */
export function matchesSearch(search: string | undefined, texts: (string | undefined)[]): boolean {
  const needle = fold(search ?? '')
  return !needle || texts.some((text) => text !== undefined && fold(text).includes(needle))
}

/** Where a row stands in a list. */
type Position = [value: string | number, id: string]

const compare = (a: Position, b: Position): number =>
  a[0] === b[0] ? order(a[1], b[1]) : order(a[0], b[0])

const order = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)

/** Checks of the sort fields that are not plain text. */
const checks: Record<string, (value: string | number) => boolean> = {
  createdAt: (value) => typeof value === 'string' && isTimestamp(value),
  At: (value) => typeof value === 'string' && isTimestamp(value),
  offer: (value) => typeof value === 'number' && Number.isFinite(value),
  detour: (value) => typeof value === 'number' && Number.isFinite(value),
}
const isText = (value: string | number) => typeof value === 'string' && isStorableText(value)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function parseCursor(after: string, name: string): Position {
  try {
    const position: unknown = JSON.parse(after)
    if (Array.isArray(position) && position.length === 2) {
      const [value, id] = position
      const isValid = checks[name] ?? isText
      if (isValid(value) && typeof id === 'string' && uuid.test(id)) return [value, id]
    }
  } catch {
    // Not JSON: refused below.
  }
  throw new Refusal('invalid', 'That page is not one of this list.')
}
