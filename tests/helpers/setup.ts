// Dexie looks for IndexedDB when it is first imported.
import 'fake-indexeddb/auto'
import { afterAll, vi } from 'vitest'

/** Hono's server puts classes of its own in their place. */
const usual = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(([name]) =>
  ['Request', 'Response'].includes(name),
)

// Files share a process: each leaves it as it was.
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const [name, property] of usual) Object.defineProperty(globalThis, name, property)
})
