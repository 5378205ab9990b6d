import { cmp, type IndexableType, type PromiseExtended, type Table } from 'dexie'

/** From so many on, keys of which it is not known how close they lie are read as if they did. */
const worthIt = 8

/**
 * Rows by their primary keys, in the order of the keys, `undefined` where there is none. Those that
 * lie close together are read in one go, which costs a browser far less than asking for each.
 */
export function getMany<T, K extends IndexableType, I>(
  table: Table<T, K, I>,
  keys: readonly K[],
): PromiseExtended<(T | undefined)[]> {
  const sorted = [...keys].sort(cmp)
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined || !mayBeClose(first, last, keys.length))
    return table.bulkGet([...keys])
  const most = 2 * keys.length
  const { extractKey } = table.core.schema.primaryKey
  return table
    .where(':id')
    .between(first, last, true, true)
    .limit(most)
    .toArray()
    .then((found) => {
      if (found.length === most) return table.bulkGet([...keys])
      const rows = new Map(found.map((row) => [JSON.stringify(extractKey?.(row)), row]))
      return keys.map((key) => rows.get(JSON.stringify(key)))
    })
}

const mayBeClose = (first: IndexableType, last: IndexableType, count: number): boolean =>
  typeof first === 'number' && typeof last === 'number'
    ? count > 1 && last - first < 2 * count - 1
    : count >= worthIt
