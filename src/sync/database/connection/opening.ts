import { Dexie } from 'dexie'
import type { EngineDb } from '../engine-db.ts'

/** What keeps the database from opening; what its error means, `problemOf` says. */
export type OpeningFailure = 'blocked' | { error: unknown }

/** Milliseconds after which a database that neither opens, responds nor fails is reported as blocked. */
const patience = 10_000

/**
 * Opens the database and calls `next` with `open` once it is, or with what keeps it from
 * opening; a blocked one may still open, and a newer version of the app may take an open one over (S83). Returns how
 * to stop.
 */
export function followOpening(
  db: EngineDb,
  next: (state: 'open' | OpeningFailure) => unknown,
): () => void {
  let settled = false
  let told: unknown
  const tell = (state: 'open' | OpeningFailure) => {
    if (state !== told) next(state)
    told = state
  }
  const settle = (state: 'open' | OpeningFailure) => {
    if (settled) return
    settled = true
    clearTimeout(timer)
    tell(state)
  }
  const reportBlocked = () => {
    if (!settled) tell('blocked')
  }
  const timer = setTimeout(reportBlocked, patience)
  const reportReplaced = ({ newVersion }: IDBVersionChangeEvent) => {
    if (!newVersion) return
    settled = true
    clearTimeout(timer)
    tell({ error: new Dexie.VersionError('A newer release takes it over') })
  }
  db.on('blocked', reportBlocked)
  db.on('versionchange', reportReplaced)
  // It may have been blocked before anybody listened.
  if (db.isBlocked) reportBlocked()
  // Called while the database is being opened already, it waits for that.
  db.open().then(
    async () => {
      if (!settled) tell('open')
      // A transaction of another tab may hold the tables: no screen has its rows then.
      await db.transaction('r', db.tables, async () => db.meta.count()).catch(() => {})
      settle('open')
    },
    (error: unknown) => settle({ error }),
  )
  return () => {
    settled = true
    clearTimeout(timer)
    db.on('blocked').unsubscribe(reportBlocked)
    db.on('versionchange').unsubscribe(reportReplaced)
  }
}
