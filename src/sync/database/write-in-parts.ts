import { Dexie, type PromiseExtended, type Table } from 'dexie'

/** A row to be put, or the key of one to be deleted. */
export type Write = { table: Table; row: unknown } | { table: Table; deleted: unknown }

/** Writes that are requested in one task: on a slow phone each takes up to 4 ms, and a task longer than 100 ms is felt. */
const mostAtOnce = 25

/** As writes of one table. */
export const puts = <T>(table: Table<T>, rows: readonly T[]): Write[] =>
  rows.map((row) => ({ table: table as Table, row }))

/**
 * Writes inside the caller's transaction, part by part: between two of them the browser can draw and take input. Whoever
 * reads sees all of it or nothing.
 */
export async function writeInParts(writes: readonly Write[]): Promise<void> {
  for (const part of partsOf(writes)) await request(part)
}

/** As `writeInParts`, but for the last part: returns how to request that one, which can then be committed at once. */
export async function writeAllButLast(
  writes: readonly Write[],
): Promise<() => PromiseExtended<unknown>> {
  const parts = partsOf(writes)
  const last = parts.pop() ?? []
  for (const part of parts) await request(part)
  return () => request(last)
}

const partsOf = (writes: readonly Write[]): Write[][] =>
  Array.from({ length: Math.ceil(writes.length / mostAtOnce) }, (_, at) =>
    writes.slice(at * mostAtOnce, (at + 1) * mostAtOnce),
  )

/** In as few calls as there are tables. */
function request(part: readonly Write[]): PromiseExtended<unknown> {
  const tables = new Set(part.map(({ table }) => table))
  return Dexie.Promise.all(
    [...tables].flatMap((table) => {
      const ofTable = part.filter((each) => each.table === table)
      return [
        table.bulkPut(ofTable.flatMap((each) => ('row' in each ? [each.row] : []))),
        table.bulkDelete(ofTable.flatMap((each) => ('deleted' in each ? [each.deleted] : []))),
      ]
    }),
  )
}
