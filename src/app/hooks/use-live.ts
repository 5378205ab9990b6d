import { useObservable } from 'dexie-react-hooks'
import { useContext, useEffect } from 'react'
import { type Query, sharedLive } from '#store/queries/live/shared-live.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'
import { countQuery } from '../browser/first-screen.ts'
import { useSoma } from './use-soma.ts'
import { VisitorContext } from './use-visitor.ts'

/**
 * A query's result, renewed when a row it read changes, at most about four times a second; `undefined` until
 * it is loaded, and without a query. Components that ask the same share one live query, so `query` is a function
 * outside of components, and what it needs are its arguments.
 */
export function useLive<A extends unknown[], T>(
  query: Query<A, T> | undefined,
  ...args: A
): T | undefined {
  const { db } = useSoma()
  return useFollowed<T>(
    () => (query ? sharedLive(db, query, args) : nothing),
    [db, query, JSON.stringify(args)],
  )
}

/** As `useLive`, of what belongs to the account of the screen: it is handed to the query as its last argument. */
export function useOwn<A extends unknown[], T>(
  query: Query<[...A, account?: string], T> | undefined,
  ...args: A
): T | undefined {
  return useLive(query, ...args, useContext(VisitorContext)?.account)
}

type Followed<T> = {
  subscribe: (next: (value: T) => unknown, error?: (cause: unknown) => unknown) => () => void
  hasValue: () => boolean
  getValue?: () => T
}

const nothing: Followed<never> = { subscribe: () => () => {}, hasValue: () => false }

/**
 * The newest value of `follow`; `undefined` before the first. Called again when `deps` change. The first screen
 * counts as loaded only once it has a value.
 */
export function useFollowed<T>(follow: () => Followed<T>, deps: unknown[]): T | undefined {
  return useObservable(
    () => {
      const followed = follow()
      return { ...followed, subscribe: counted(followed.subscribe) }
    },
    deps,
    undefined,
  )
}

const counted =
  <T>(subscribe: Followed<T>['subscribe']): Followed<T>['subscribe'] =>
  (next, error) => {
    const answered = countQuery()
    const stop = subscribe(
      (value) => {
        answered()
        next(value)
      },
      (cause) => {
        answered()
        error?.(cause)
      },
    )
    return () => {
      answered()
      stop()
    }
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
