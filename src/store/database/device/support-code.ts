import { supportCodeFrom } from '#domain/support-code.ts'
import type { EngineDb } from '../engine-db.ts'
import { getState, putState } from './state.ts'

/** This device's support code (R92), made at random when it is first asked for. It stays at a logout. */
export const ensureSupportCode = async (db: EngineDb): Promise<string> =>
  (await getState(db, 'supportCode')) ??
  db.transaction('rw', db.meta, async () => {
    const kept = await getState(db, 'supportCode')
    if (kept !== undefined) return kept
    const made = supportCodeFrom(crypto.getRandomValues(new Uint8Array(8)))
    await putState(db, 'supportCode', made)
    return made
  })
