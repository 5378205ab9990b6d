import type { Entry } from '../deliveries/operations.ts'
import type { SomaDb } from '../soma-db.ts'
import { entryVersion } from './entry.ts'

/** How an entry becomes one of the next version, by the version it has. */
const upgrades: Record<number, (entry: Entry) => Entry> = {
  // Before it was noted whether a request had left, any that had been tried may have.
  1: (entry) => ({
    ...entry,
    left: entry.state !== 'waiting' || entry.attempts > 0 || undefined,
  }),
}

/** Brings entries that an older version of the app has made up to date; those of a newer one stay as they are. */
export const upgradeEntries = (db: SomaDb): Promise<number> =>
  db.transaction('rw', db.outbox, async () => {
    const old = await db.outbox.filter(({ v }) => v < entryVersion).toArray()
    const known = old.filter(({ v }) => upgrades[v] !== undefined)
    if (known.length > 0) await db.outbox.bulkPut(known.map(upgraded))
    return known.length
  })

function upgraded(entry: Entry): Entry {
  const step = upgrades[entry.v]
  return step ? upgraded({ ...step(entry), v: entry.v + 1 }) : entry
}
