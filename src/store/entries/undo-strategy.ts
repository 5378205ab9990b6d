import { mayHaveArrived } from '#sync/database/entry.ts'
import type { Entry } from './operations.ts'

/**
 * How an entry can be undone. `forget`: it never left, or was refused. `ask`: it may have arrived, and the server is
 * asked to withdraw it (S56). `stop`: it may have arrived, and the backend cannot be asked (S73).
 */
export type UndoStrategy = 'forget' | 'ask' | 'stop'

/** Nothing for an entry that is being withdrawn. */
export function undoStrategy(entry: Entry): UndoStrategy | undefined {
  if (entry.withdrawal) return entry.withdrawal === 'unknown' ? 'stop' : undefined
  // A photo that arrived without its request is shown to nobody.
  const isAsked = entry.op !== 'uploadPhoto' && entry.state !== 'refused' && mayHaveArrived(entry)
  return isAsked ? 'ask' : 'forget'
}
