import { afterAll, beforeAll } from 'vitest'

/** A stand-in for the browser's Cache Storage, as far as names go. Call it at the top of the file. */
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
