import { getState, putState } from '../database/device/state.ts'
import type { EngineDb } from '../database/engine-db.ts'
import type { OutboxModel } from '../model.ts'

/*
 * What looks unneeded is not deleted at first sight: a file may be in a form that has not saved it yet,
 * and by a clock that runs ahead everything is old (S55).
 */

/** `now`: the device's clock, which may be set; `monotonic`: one that is not. Milliseconds since 1970. */
type Clocks = { now: () => number; monotonic: () => number }

const hour = 3_600_000
const day = 24 * hour
/** Milliseconds for which an ended entry is there to be seen (S7). */
const shownFor = 72 * hour
/** Days on which something must have looked unneeded, where no page saw it for an hour. */
const daysThatCount = 3

/** Before the `seq` of an entry, in the name it is remembered by. */
const entryPrefix = 'entry:'

/** What this page has seen, by the monotonic clock. */
type Seen = { dueAt: number; since: Map<string, number> }
const seenBy = new WeakMap<EngineDb, Seen>()

/**
 * Deletes entries that ended 72 hours ago, and what nothing needs any more (S11), once they have looked so for an hour
 * of this page, or on three visits of which each was a day or more after the one before (S55). A clock that was set
 * back begins anew. Looks once when a page has started, then hourly while something looks unneeded, else daily.
 */
export async function collectGarbage(
  db: EngineDb,
  model: OutboxModel,
  clock: Clocks,
): Promise<void> {
  const seen = seenBy.get(db) ?? { dueAt: Number.NEGATIVE_INFINITY, since: new Map() }
  const monotonic = clock.monotonic()
  if (monotonic < seen.dueAt) return
  const waiting = await db.transaction('rw', db.tables, async () => {
    const ended = await endedBefore(db, clock.now() - shownFor)
    const names = [...ended, ...(await model.findGarbage(db))]
    const visits = await countVisits(db, names, clock.now())
    const since = new Map(names.map((name) => [name, seen.since.get(name) ?? monotonic]))
    const ripe = names.filter(
      (name) =>
        monotonic - (since.get(name) ?? monotonic) >= hour || (visits[name] ?? 0) >= daysThatCount,
    )
    if (ripe.length > 0) await remove(db, model, ripe)
    for (const name of ripe) since.delete(name)
    return since
  })
  seenBy.set(db, { dueAt: monotonic + (waiting.size > 0 ? hour : day), since: waiting })
}

async function remove(db: EngineDb, model: OutboxModel, names: readonly string[]): Promise<void> {
  const seqs = names.filter((name) => name.startsWith(entryPrefix))
  await db.outbox.bulkDelete(seqs.map((name) => Number(name.slice(entryPrefix.length))))
  await model.deleteGarbage(
    db,
    names.filter((name) => !name.startsWith(entryPrefix)),
  )
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

/** On how many days each of these was seen; what is not named any more is forgotten. */
async function countVisits(
  db: EngineDb,
  names: readonly string[],
  now: number,
): Promise<Record<string, number>> {
  const before = await getState(db, 'garbage')
  if (names.length === 0 && !before) return {}
  const passed = before ? now - before.at : 0
  const isNewDay = passed >= day
  const known: Record<string, number> = before && passed >= 0 ? before.visits : {}
  const visits = Object.fromEntries(
    names.map((name) => [name, (known[name] ?? (isNewDay ? 0 : 1)) + (isNewDay ? 1 : 0)]),
  )
  const at = before && passed >= 0 && !isNewDay ? before.at : now
  await putState(db, 'garbage', { at, visits })
  return visits
}
