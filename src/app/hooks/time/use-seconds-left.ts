import type { Entry } from '#store/entries/operations.ts'
import { isUndoable } from '#sync/database/entry.ts'
import { useSoma } from '../use-soma.ts'
import { useNow } from './use-now.ts'

/** Whole seconds in which an entry can still be undone (S60); 0 once it may leave, and without an entry. */
export function useSecondsLeft(entry: Entry | undefined): number {
  const { waits } = useSoma()
  useNow(500)
  return entry && isUndoable(entry) ? Math.ceil(waits.left(entry) / 1_000) : 0
}
