import { shownSupportCode } from '#domain/support-code.ts'
import { storedDiagnostics } from '../database/device/diagnostics.ts'
import { getState } from '../database/device/state.ts'
import { guestAccount } from '../database/engine-db.ts'
import type { SomaDb } from '../soma-db.ts'

/* What the outbox screen alone reads: the first page does without. */

/** How many entries wait here for people who have logged out; 0 while somebody is logged in. */
export async function countForOthers(db: SomaDb): Promise<number> {
  if (await db.sessions.get('current')) return 0
  const unsent = await db.outbox.where('state').anyOf('waiting', 'sending', 'retrying', 'parked')
  return unsent.filter(({ account }) => account !== guestAccount).count()
}

/** How far the photos are that go up just now, by their IDs: a share from 0 to 1. */
export async function uploads(db: SomaDb): Promise<Record<string, number>> {
  const begin = 'upload:'
  const found = await db.meta.where('key').startsWith(begin).toArray()
  return Object.fromEntries(
    found.map(({ key, value }) => [key.slice(begin.length), value as number]),
  )
}

/** One line of the diagnostics. `at`: milliseconds since 1970; `request`: the ID the server logs too. */
export type DiagnosticLine = {
  at: number
  level: 'info' | 'error'
  what: string
  error?: string
  request?: string
}

/** What the engine did last and what failed, newest first. */
export const diagnostics = async (db: SomaDb): Promise<DiagnosticLine[]> =>
  (await storedDiagnostics(db)).map((event) => ({
    ...event,
    level: event.error === undefined ? 'info' : 'error',
  }))

/** The support code of this device as people say it, `K7QX-2MPD` (R92); `null` before its first request. */
export const supportCode = async (db: SomaDb): Promise<string | null> => {
  const code = await getState(db, 'supportCode')
  return code === undefined ? null : shownSupportCode(code)
}

/** Whether the diagnostics are also written to the console. */
export const logsToConsole = async (db: SomaDb): Promise<boolean> =>
  (await getState(db, 'logsToConsole')) ?? false
