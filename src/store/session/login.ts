import type { EngineDb, Session } from '../database/engine-db.ts'

/** Whoever is logged in on this device, as far as the engine needs to know. */
export const currentLogin = (db: EngineDb): Promise<Session | undefined> =>
  db.sessions.get('current')
