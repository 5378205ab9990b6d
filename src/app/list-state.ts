import { useEffect } from 'react'
import { isFailing } from '#store/pull-queries.ts'
import { pulledAt, syncStatus } from '#store/queries.ts'
import { useLive, useWatch } from './live.ts'
import { toast } from './toasts.ts'

/** `unknown`: never confirmed by the server; `unreachable`: nor can it be now; `known`: it was, then. */
export type ListState =
  | { is: 'unknown' }
  | { is: 'unreachable' }
  | { is: 'known'; at: number; stale: boolean }

/** Watches a list and says how much is known of it; `failure` is told once when it cannot be had. */
export function useListState(list: string, failure?: string): ListState {
  useWatch(list)
  const at = useLive((db) => pulledAt(db, list), [list])
  const status = useLive(syncStatus)
  const failing = useLive((db) => isFailing(db, list), [list])
  const unreachable = at === null && (status?.reachable === false || failing === true)
  useEffect(() => {
    if (unreachable && failure) toast({ title: 'Error', text: failure, destructive: true })
  }, [unreachable, failure])
  if (typeof at === 'number') return { is: 'known', at, stale: status?.reachable === false }
  return { is: unreachable ? 'unreachable' : 'unknown' }
}
