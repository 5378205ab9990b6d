import type { Plugin } from 'vite'

/*
 * A trick: every database of the app takes Dexie's cache of queries out before it is opened
 * (`store/database/drop-cache.ts`), but Dexie puts it into each at first, so that its code stays in the
 * first page (1.6 kB, brotli). Without that line the build leaves it out. A database with live queries must be
 * opened with `cache: 'disabled'`. A Dexie that is written otherwise is built as it is, with a warning.
 */

const use = 'this.use(cacheMiddleware);'

/** Dexie's code without the cache of queries. */
export const withoutCache = (code: string): string => code.replace(use, '')

/** Leaves Dexie's cache of queries out of the build. */
export function shakenDexie(): Plugin {
  let shaken = false
  return {
    name: 'soma:shaken-dexie',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/dexie\/dist\/modern\// },
      handler: (code) => {
        shaken ||= code.includes(use)
        return { code: withoutCache(code), map: null }
      },
    },
    buildEnd(error) {
      if (!error && !shaken) this.warn('Dexie is no longer made smaller: see shaken-dexie.ts')
    },
  }
}
