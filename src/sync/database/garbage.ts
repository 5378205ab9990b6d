import { getState, putState } from './device/state.ts'
import type { EngineDb } from './engine-db.ts'

/*
 * What looks unneeded is not deleted at first sight: a photo may be in a form that has not saved it yet,
 * and by a clock that runs ahead everything is old (S55).
 */

/** `now`: the device's clock, which may be set; `monotonic`: one that is not. Milliseconds since 1970. */
export type Clocks = { now: () => number; monotonic: () => number }

type Garbage = {
  /** Names of what looks unneeded now; inside a transaction over all tables. */
  find: () => Promise<string[]>
  /** Deletes what these names stand for; inside the same transaction. */
  remove: (names: string[]) => Promise<void>
}

const hour = 3_600_000
const day = 24 * hour
/** Days on which something must have looked unneeded, where no page saw it for an hour. */
const daysThatCount = 3

/** What this page has seen, by the monotonic clock. */
type Seen = { dueAt: number; since: Map<string, number> }
const seenBy = new WeakMap<EngineDb, Seen>()

/**
 * Removes what has looked unneeded for an hour of this page, or on three visits of which each was a day
 * or more after the one before. A clock that was set back begins anew.
 */
export async function removeGarbage(db: EngineDb, clock: Clocks, garbage: Garbage): Promise<void> {
  const seen = seenBy.get(db) ?? { dueAt: Number.NEGATIVE_INFINITY, since: new Map() }
  const monotonic = clock.monotonic()
  if (monotonic < seen.dueAt) return
  const waiting = await db.transaction('rw', db.tables, async () => {
    const names = await garbage.find()
    const visits = await countVisits(db, names, clock.now())
    const since = new Map(names.map((name) => [name, seen.since.get(name) ?? monotonic]))
    const ripe = names.filter(
      (name) =>
        monotonic - (since.get(name) ?? monotonic) >= hour || (visits[name] ?? 0) >= daysThatCount,
    )
    if (ripe.length > 0) await garbage.remove(ripe)
    for (const name of ripe) since.delete(name)
    return since
  })
  seenBy.set(db, { dueAt: monotonic + (waiting.size > 0 ? hour : day), since: waiting })
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
