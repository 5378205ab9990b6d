import { isQuotaExceeded } from '../with-eviction.ts'
import type { OpeningFailure } from './opening.ts'

/**
 * Why the database is not open. `forbidden`: the browser has no storage, or does not allow it; `blocked`:
 * another tab holds an older version open, or the browser does not respond; `newer`: a newer release has
 * written it; `full`: the device is full; `failed`: anything else, with the error's name.
 */
export type OpeningProblem = {
  is: 'forbidden' | 'blocked' | 'newer' | 'full' | 'failed'
  error?: string
}

const forbidden = ['MissingAPIError', 'MissingAPI', 'SecurityError', 'InvalidStateError']

/** What the failure comes from. */
export function problemOf(failure: OpeningFailure): OpeningProblem {
  if (failure === 'blocked') return { is: 'blocked' }
  const { error } = failure
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
