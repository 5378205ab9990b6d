import { note } from '#sync/database/device/diagnostics.ts'

export type Lazy = typeof import('./lazy.ts')

let loading: Promise<Lazy> | undefined
let loaded: Lazy | undefined

/**
 * The one dynamic import of everything that a visitor's first page does without. Rejects when there is no
 * network and no worker to load it from; asked again, it tries again.
 */
export function loadLazy(): Promise<Lazy> {
  loading ??= import('./lazy.ts').then(
    (lazy) => {
      loaded = lazy
      return lazy
    },
    (error: unknown) => {
      loading = undefined
      note('The rest of the app could not be loaded', { error })
      throw error
    },
  )
  return loading
}

/** What `loadLazy` has loaded; nothing before. */
export const loadedLazy = (): Lazy | undefined => loaded
