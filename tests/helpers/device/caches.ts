import { afterAll, beforeAll } from 'vitest'

/** An in-memory stand-in for the names in the browser's Cache Storage. Call it at the top level of the file. */
export function cachesIn(place: { caches?: unknown }) {
  let kept = new Map<string, string[]>()
  const before = place.caches
  beforeAll(() => {
    place.caches = {
      keys: async () => [...kept.keys()],
      delete: async (name: string) => kept.delete(name),
      has: async (name: string) => kept.has(name),
    }
  })
  afterAll(() => {
    place.caches = before
  })
  return {
    fill: (names: Record<string, string[]>) => {
      kept = new Map(Object.entries(names))
    },
    names: () => [...kept.keys()],
  }
}
