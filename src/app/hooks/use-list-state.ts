import { useEffect } from 'react'
import { type ListRef, listKey } from '#store/database/lists.ts'
import { pulled } from '#store/queries/lists.ts'
import { isFailing } from '#store/queries/pulls.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { toast } from '../shell/toasts.ts'
import { useLive, useWatch } from './use-live.ts'

/**
 * `unknown`: never confirmed by the server; `unreachable`: nor can it be now; `failed`: it was asked and
 * could not say; `refused`: it would not; `known`: it was confirmed, then.
 */
export type ListState =
  | { is: 'unknown' | 'unreachable' | 'failed' | 'refused' }
  | { is: 'known'; at: number; stale: boolean }

/** Nobody can say now what is in the list. */
export const isUnavailable = ({ is }: ListState): boolean => is === 'unreachable' || is === 'failed'

/** Watches a list and says how much is known of it; `failure` is told once when it cannot be had. */
export function useListState(list: ListRef, failure?: string): ListState {
  useWatch(list)
  const key = listKey(list)
  const had = useLive((db) => pulled(db, key), [key])
  const reachable = useLive(syncStatus)?.reachable !== false
  const failing = useLive((db) => isFailing(db, key), [key]) === true
  const state = stateOf(had, reachable, failing)
  const missing = state.is !== 'unknown' && state.is !== 'known'
  useEffect(() => {
    if (missing && failure) toast({ title: 'Error', text: failure, destructive: true })
  }, [missing, failure])
  return state
}

type Had = { at: number; refused?: true } | null | undefined

function stateOf(had: Had, reachable: boolean, failing: boolean): ListState {
  if (had === undefined) return { is: 'unknown' }
  if (had && had.at > 0) return { is: 'known', at: had.at, stale: !reachable }
  if (had?.refused) return { is: 'refused' }
  if (!reachable) return { is: 'unreachable' }
  return { is: failing ? 'failed' : 'unknown' }
}
