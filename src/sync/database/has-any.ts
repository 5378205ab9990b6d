import type { Collection, PromiseExtended } from 'dexie'

/** Whether there is any such row. A count would go through all of them, `limit` or not. */
export const hasAny = (rows: {
  // biome-ignore lint/suspicious/noExplicitAny: of whatever table it is
  limit(count: number): Collection<any, any, any>
}): PromiseExtended<boolean> =>
  rows
    .limit(1)
    .primaryKeys()
    .then((keys) => keys.length > 0)
