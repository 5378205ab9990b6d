import { restorableDexie } from '../../../helpers/database/restorable.ts'
import type { Database } from '../scenario/seed-data.ts'

/** Each scenario has an IndexedDB of its own, so the database can always have the same name. */
export function inDexie(): Database {
  const { repo, backup } = restorableDexie('server')
  return { repo, backUp: backup }
}
