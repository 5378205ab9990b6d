import type { EngineDb } from '../database/engine-db.ts'
import { type Clocks, removeGarbage } from '../database/garbage.ts'
import type { OutboxModel } from '../model.ts'

/** Milliseconds for which an ended entry is there to be seen (S7). */
const shownFor = 72 * 3_600_000

/** Before the `seq` of an entry, in the name it is remembered by. */
const entryPrefix = 'entry:'

/**
 * Deletes entries that ended 72 hours ago, and what nothing needs any more (S11), once they have looked
 * so for long enough (S55). Looks once when a page has started, then hourly while something looks
 * unneeded, else daily.
 */
export async function collectGarbage(
  db: EngineDb,
  model: OutboxModel,
  clock: Clocks,
): Promise<void> {
  await removeGarbage(db, clock, {
    find: async () => [
      ...(await endedBefore(db, clock.now() - shownFor)),
      ...(await model.findGarbage(db)),
    ],
    async remove(names) {
      const seqs = names.filter((name) => name.startsWith(entryPrefix))
      await db.outbox.bulkDelete(seqs.map((name) => Number(name.slice(entryPrefix.length))))
      await model.deleteGarbage(
        db,
        names.filter((name) => !name.startsWith(entryPrefix)),
      )
    },
  })
}

/** Names of entries that ended before `before` (milliseconds since 1970). */
async function endedBefore(db: EngineDb, before: number): Promise<string[]> {
  const old = await db.outbox
    .where('state')
    .anyOf('done', 'cancelled')
    .filter(({ endedAt }) => (endedAt ?? 0) < before)
    .primaryKeys()
  return old.map((seq) => `${entryPrefix}${seq}`)
}
