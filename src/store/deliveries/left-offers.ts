import type { MonotonicTime } from '#sync/time.ts'
import type { SomaDb } from '../soma-db.ts'

/** Jobs remembered of one database, at most: far more than leave while a page is under way. */
const most = 1_000

/** When events said that jobs were no longer on offer, by ID, the oldest first. */
const left = new WeakMap<SomaDb, Map<string, MonotonicTime>>()

/** An event says that a job is no longer on offer. */
export function noteLeft(db: SomaDb, id: string, at: MonotonicTime): void {
  const ids = left.get(db) ?? new Map<string, MonotonicTime>()
  left.set(db, ids)
  ids.delete(id)
  ids.set(id, at)
  for (const oldest of ids.keys()) if (ids.size > most) ids.delete(oldest)
}

/** Those of a page that no event has taken from the list since the page was asked for (S78). */
export const stillOffered = <T extends { ID: string }>(
  db: SomaDb,
  jobs: readonly T[],
  askedAt: MonotonicTime,
): T[] => jobs.filter(({ ID }) => !((left.get(db)?.get(ID) ?? 0) > askedAt))
