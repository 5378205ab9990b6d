import { createContext, useContext } from 'react'
import { type EntryInFull, entryInFull } from '#store/queries/outbox/outbox.ts'
import { useLive } from './use-live.ts'

/** The entries that a screen has read with its row, by ID: nothing drawn from them appears after it. */
export const EntriesContext = createContext<ReadonlyMap<string, EntryInFull> | undefined>(undefined)

/** An entry, and what takes it back; nothing until it is read, or where there is none. */
export function useEntry(id: string | undefined): EntryInFull | undefined {
  const entries = useContext(EntriesContext)
  const found = useLive(entries || id === undefined ? undefined : entryInFull, id ?? '')
  if (id === undefined) return undefined
  if (entries) return entries.get(id)
  return found?.entry.id === id ? found : undefined
}
