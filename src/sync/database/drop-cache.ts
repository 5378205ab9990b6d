import type { Dexie } from 'dexie'

/*
 * A trick: Dexie's cache of queries stays in the way even when it is disabled. It makes an
 * AbortController for every write; enabled, it would show rows that are not written yet, and copy every
 * row of a list at each change. A Dexie that calls its middleware otherwise keeps it, disabled: slower,
 * and as right.
 */

/** Dexie's name of the middleware, which a test looks for in the installed version. */
export const cacheMiddleware = { stack: 'dbcore', name: 'Cache' } as const

/** Takes Dexie's cache of queries out of a database that is not open yet. */
export const dropCache = (db: Dexie): unknown => db.unuse(cacheMiddleware)
