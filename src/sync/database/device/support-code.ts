import type { EngineDb } from '../engine-db.ts'
import { getState, putState } from './state.ts'

/** Crockford's base32: no letter looks like a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new support code from 8 random bytes. */
export const supportCodeFrom = (random: Uint8Array): string =>
  Array.from(random.subarray(0, 8), (byte) => alphabet[byte % alphabet.length]).join('')

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
