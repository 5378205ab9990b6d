import type { EngineDb } from '../database/engine-db.ts'

/** The ID a row goes by now: a backend that hands out its own left an alias (S19). */
export async function resolveId(db: EngineDb, account: string, id: string): Promise<string> {
  const alias = await db.aliases.get([account, id])
  return alias ? alias.server : id
}
