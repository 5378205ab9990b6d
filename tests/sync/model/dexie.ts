import { openDexieRepo } from '#demo/backend/dexie/repo.ts'

/** Each history has databases of its own, so the name need not be. */
export const inDexie = () => openDexieRepo('server')
