import { type ListInfo, listInfo } from '#store/queries/lists.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import { useToast } from '../../toasts.ts'
import { useLive, useOwn, useWatch } from '../use-live.ts'

/**
 * What is known of a list. `unknown`: not loaded yet; `unreachable`: not loaded, and offline; `failed`: not
 * loaded, because the server failed; `refused`: the server refused it; `known`: loaded, at that time in ms.
 */
export type ListState =
  | { is: 'unknown' | 'unreachable' | 'failed' | 'refused' }
  | { is: 'known'; at: number; stale: boolean }

/** Whether the list was never loaded and cannot be loaded now. */
export const isUnavailable = ({ is }: ListState): boolean => is === 'unreachable' || is === 'failed'

/**
 * Keeps a list fresh and returns what is known of it. Shows `failure` in a toast while the list
 * cannot be loaded.
 */
export function useListState(list: ListRef, failure?: string): ListState {
  useWatch(list)
  const info = useOwn(listInfo, listKey(list))
  const reachable = useLive(syncStatus)?.reachable !== false
  const state = stateOf(info, reachable)
  const missing = state.is !== 'unknown' && state.is !== 'known'
  useToast(missing && failure ? { title: 'Error', text: failure, destructive: true } : undefined)
  return state
}

function stateOf(info: ListInfo | undefined, reachable: boolean): ListState {
  if (info === undefined) return { is: 'unknown' }
  const { pulled: had, isFailing } = info
  if (had && had.at > 0) return { is: 'known', at: had.at, stale: !reachable }
  if (had?.refused) return { is: 'refused' }
  if (!reachable) return { is: 'unreachable' }
  return { is: isFailing ? 'failed' : 'unknown' }
}
