import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect } from 'react'
import type { Soma } from '#sync/open.ts'
import { useSoma } from './use-soma.ts'

/**
 * The answer of a query, again whenever a row it read changes; `undefined` until it is known.
 * `deps` are the values the query closes over.
 */
export function useLive<T>(
  query: (db: Soma['db']) => Promise<T>,
  deps: unknown[] = [],
): T | undefined {
  const { db } = useSoma()
  return useLiveQuery(() => query(db), [db, ...deps])
}

/** While this component is mounted the list is pulled and kept fresh. */
export function useWatch(list: string | undefined): void {
  const { engine } = useSoma()
  useEffect(() => (list === undefined ? undefined : engine.watch(list)), [engine, list])
}
