import type { SomaDb } from '../../soma-db.ts'
import { followLive, type Observer } from './follow-live.ts'

/** What screens follow: asks only Dexie. `A`: values that JSON can hold. */
export type Query<A extends unknown[], T> = (db: SomaDb, ...args: A) => PromiseLike<T>

/** `state` is `stale` from the change of a row that the query read until it is read again. */
type Live = {
  state: 'reading' | 'current' | 'stale'
  value?: unknown
  observers: Set<Observer<unknown>>
  stop: () => void
}

type Lives = Map<string, Live>

const all = new WeakMap<SomaDb, WeakMap<object, Lives>>()

function livesOf(db: SomaDb, query: object): Lives {
  const byQuery = all.get(db) ?? new WeakMap<object, Lives>()
  all.set(db, byQuery)
  const lives = byQuery.get(query) ?? new Map<string, Live>()
  byQuery.set(query, lives)
  return lives
}

/**
 * A live query that all who follow it share: the same function with equal arguments runs once for them. Who comes
 * later gets the value at once while it is current; one that is stale is read again at once.
 */
export function sharedLive<A extends unknown[], T>(db: SomaDb, query: Query<A, T>, args: A) {
  const known = () => livesOf(db, query)
  const key = JSON.stringify(args)

  const read = (live: Live) => {
    live.stop()
    live.state = 'reading'
    live.stop = followLive(() => query(db, ...args), {
      next: (value) => {
        live.state = 'current'
        live.value = value
        for (const observer of live.observers) observer.next(value)
      },
      stale: () => {
        live.state = 'stale'
      },
      error: (cause) => {
        known().delete(key)
        for (const observer of live.observers) observer.error(cause)
      },
    })
  }

  return {
    hasValue: () => known().get(key)?.state === 'current',
    getValue: () => known().get(key)?.value as T,
    /** Returns how to stop. */
    subscribe(next: (value: T) => unknown, error: (cause: unknown) => unknown = () => {}) {
      const lives = known()
      const live = lives.get(key) ?? { state: 'stale', observers: new Set(), stop: () => {} }
      const observer = { next: next as (value: unknown) => unknown, error }
      live.observers.add(observer)
      lives.set(key, live)
      if (live.state === 'current') next(live.value as T)
      if (live.state === 'stale') read(live)
      return () => {
        live.observers.delete(observer)
        if (live.observers.size > 0) return
        live.stop()
        if (lives.get(key) === live) lives.delete(key)
      }
    },
  }
}
