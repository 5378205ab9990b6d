import { Refusal } from '#domain/errors.ts'
import type { Page, Paged } from '#server/ports/repo.ts'
import { isStorableText, isTimestamp } from '#server/ports/storable-values.ts'

/** The ways a list may be sorted: what of a row each compares, after which its ID decides. */
export type Sortings<T> = Record<string, (row: T) => string | number>

/** One page of these rows, which are all there are, in any order. Refusal: invalid. */
export function pageOf<T>(
  rows: T[],
  sortings: Sortings<T>,
  idOf: (row: T) => string,
  { sort = '-createdAt', after, limit }: Page,
): Paged<T> {
  const name = sort.replace(/^-/, '')
  const by = Object.hasOwn(sortings, name) ? sortings[name] : undefined
  if (!by) throw new Refusal('invalid', `This list cannot be sorted by ${sort.slice(0, 40)}.`)
  const turn = sort.startsWith('-') ? -1 : 1
  const places = rows
    .map((row) => ({ row, place: [by(row), idOf(row)] as Place }))
    .sort((a, b) => turn * compare(a.place, b.place))
  const start = after === undefined ? undefined : readPlace(after, name)
  const left = start ? places.filter(({ place }) => turn * compare(place, start) > 0) : places
  const page = left.slice(0, limit)
  const next = left.length > limit ? page.at(-1)?.place : undefined
  return {
    rows: page.map(({ row }) => row),
    next: next && JSON.stringify(next),
    total: rows.length,
  }
}

/** Whether any of the texts holds what is sought, in any case. All do when nothing is. */
export function holds(sought: string | undefined, texts: (string | undefined)[]): boolean {
  const text = sought?.toLowerCase()
  return !text || texts.some((each) => each?.toLowerCase().includes(text))
}

type Place = [value: string | number, id: string]

const compare = (a: Place, b: Place): number =>
  a[0] === b[0] ? order(a[1], b[1]) : order(a[0], b[0])

const order = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)

/** What each field's values look like; the others are texts. */
const shapes: Record<string, (value: string | number) => boolean> = {
  createdAt: (value) => typeof value === 'string' && isTimestamp(value),
  At: (value) => typeof value === 'string' && isTimestamp(value),
  offer: (value) => typeof value === 'number' && Number.isFinite(value),
}
const isText = (value: string | number) => typeof value === 'string' && isStorableText(value)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function readPlace(after: string, name: string): Place {
  try {
    const place: unknown = JSON.parse(after)
    if (Array.isArray(place) && place.length === 2) {
      const [value, id] = place
      const fits = shapes[name] ?? isText
      if (fits(value) && typeof id === 'string' && uuid.test(id)) return [value, id]
    }
  } catch {
    // Refused below: it is not a place of this list.
  }
  throw new Refusal('invalid', 'That page is not one of this list.')
}
