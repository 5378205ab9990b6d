import { type ListRef, listKey } from '../lists/list-ref.ts'

/** The lists that screens of this tab show, each counted once for each screen. */
export function createWatchedLists() {
  const watched = new Map<string, { list: ListRef; watchers: number }>()
  const followers = new Set<() => void>()
  const tell = () => {
    for (const each of followers) each()
  }
  return {
    all: (): ListRef[] => [...watched.values()].map(({ list }) => list),

    /** Returns whether nobody watched the list before. */
    add(list: ListRef): boolean {
      const known = watched.get(listKey(list))
      if (known) known.watchers++
      else watched.set(listKey(list), { list, watchers: 1 })
      if (!known) tell()
      return !known
    },

    remove(list: ListRef): void {
      const known = watched.get(listKey(list))
      if (known && --known.watchers === 0 && watched.delete(listKey(list))) tell()
    },

    /** Calls `work` when there is another list, or one less. Returns how to stop. */
    follow(work: () => void): () => void {
      followers.add(work)
      return () => void followers.delete(work)
    },
  }
}
