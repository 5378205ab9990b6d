import { mayHaveArrived } from '../../outbox/entry.ts'
import type { Entry } from '../operations.ts'
import { isCreate } from '../project.ts'
import { isShownByRow } from './has-happened.ts'

/**
 * How an entry can be undone (S56). `forget`: it never left, or was refused. `ask`: it may have arrived, and
 * the server can be asked. `stop`: it may have arrived, and no row could show whether it did.
 */
export type WayBack = 'forget' | 'ask' | 'stop'

/** Nothing for an entry that is on its way this moment and cannot be cancelled there. */
export function wayBack(entry: Entry): WayBack | undefined {
  const isArrived = entry.state !== 'refused' && mayHaveArrived(entry)
  if (isCreate(entry)) return isArrived ? 'ask' : 'forget'
  if (entry.state === 'sending') return undefined
  if (!isArrived || entry.op === 'uploadPhoto') return 'forget'
  return isShownByRow(entry.op) ? 'ask' : 'stop'
}
