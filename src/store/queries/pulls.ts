import type { SomaDb } from '../soma-db.ts'

/** Whether the server is there, and had no answer when it was last asked for this list. */
export const isFailing = async (db: SomaDb, list: string): Promise<boolean> =>
  (await db.meta.get(`failing:${list}`)) !== undefined
