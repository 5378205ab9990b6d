import type { EngineDb } from './engine-db.ts'
import { isQuotaExceeded } from './with-eviction.ts'

/**
 * Why the database is not open. `forbidden`: the browser has no storage, or does not allow it; `blocked`:
 * another tab holds an older version open, or the browser does not answer; `newer`: a newer release has
 * written it; `full`: the device has no room; `failed`: anything else, with the error's name.
 */
export type OpeningProblem = {
  is: 'forbidden' | 'blocked' | 'newer' | 'full' | 'failed'
  error?: string
}

/** Milliseconds after which a database that neither opens nor fails is reported as blocked. */
const patience = 10_000

/**
 * Opens the database and calls `next` with `open` once it is, or with the problem that keeps it from
 * opening; a blocked one may still open. Returns how to stop.
 */
export function followOpening(
  db: EngineDb,
  next: (state: 'open' | OpeningProblem) => unknown,
): () => void {
  let settled = false
  const settle = (state: 'open' | OpeningProblem) => {
    if (settled) return
    settled = true
    clearTimeout(timer)
    next(state)
  }
  const reportBlocked = () => {
    if (!settled) next({ is: 'blocked' })
  }
  const timer = setTimeout(reportBlocked, patience)
  db.on('blocked', reportBlocked)
  // It may have been blocked before anybody listened.
  if (db.isBlocked) reportBlocked()
  // Called while the database is being opened already, it waits for that.
  db.open().then(
    () => settle('open'),
    (error: unknown) => settle(problemOf(error)),
  )
  return () => {
    settled = true
    clearTimeout(timer)
    db.on('blocked').unsubscribe(reportBlocked)
  }
}

const forbidden = ['MissingAPIError', 'MissingAPI', 'SecurityError', 'InvalidStateError']

function problemOf(error: unknown): OpeningProblem {
  if (isQuotaExceeded(error)) return { is: 'full' }
  const names = namesOf(error)
  const text = names.join(': ')
  if (names.some((name) => forbidden.includes(name))) return { is: 'forbidden', error: text }
  if (names.includes('VersionError')) return { is: 'newer', error: text }
  return { is: 'failed', error: text }
}

/** The names of an error and of those inside it. */
function namesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  const { name, inner } = error as { name?: unknown; inner?: unknown }
  return [...(typeof name === 'string' ? [name] : []), ...namesOf(inner)]
}
