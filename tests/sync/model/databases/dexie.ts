import { openDexieRepo } from '#demo/backend/dexie/repo.ts'

/** Each scenario has an IndexedDB of its own, so the database can always have the same name. */
export const inDexie = () => openDexieRepo('server')
