import { useObservable } from 'dexie-react-hooks'
import { useEffect } from 'react'
import type { ListRef } from '#store/database/lists.ts'
import { followLive } from '#store/queries/follow-live.ts'
import type { Soma } from '#sync/open.ts'
import { countQuery } from '../browser/first-screen.ts'
import { useSoma } from './use-soma.ts'

/**
 * A query's result, renewed when a row it read changes, at most about four times a second; `undefined` until
 * it is loaded. `deps` are the values that the query closes over.
 */
export function useLive<T>(
  query: (db: Soma['db']) => Promise<T>,
  deps: unknown[] = [],
): T | undefined {
  const { db } = useSoma()
  return useFollowed<T>((observer) => followLive(() => query(db), observer), [db, ...deps])
}

type Observer<T> = { next: (value: T) => void; error: (cause: unknown) => void }

/**
 * What `follow` tells, newest last; `undefined` until it tells something. `follow` returns how to stop, and begins anew
 * with other `deps`. Its first value is waited for by what comes after the first screen.
 */
export function useFollowed<T>(
  follow: (observer: Observer<T>) => () => void,
  deps: unknown[],
): T | undefined {
  return useObservable(
    () => ({
      subscribe: (next: (value: T) => unknown, error?: (cause: unknown) => unknown) => {
        const answered = countQuery()
        const stop = follow({
          next: (value) => {
            answered()
            next(value)
          },
          error: (cause) => {
            answered()
            error?.(cause)
          },
        })
        return () => {
          answered()
          stop()
        }
      },
      hasValue: () => false,
    }),
    deps,
    undefined,
  )
}

/** Keeps the list fresh while this component is mounted. */
export function useWatch(list: ListRef | undefined): void {
  const { engine } = useSoma()
  const { kind, id, query } = list ?? {}
  useEffect(
    () => (kind === undefined ? undefined : engine.watch({ kind, id, query })),
    [engine, kind, id, query],
  )
}
