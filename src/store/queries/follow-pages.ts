import { followLive } from './follow-live.ts'

/**
 * A part of a list that is sorted by a time, newest first: below `below`, if it is there, and down to `from`, which is
 * part of it. Without `from`: `limit` rows, and those that have the same time as the last of them.
 */
export type Part = { below?: string; from?: string; limit: number }

/** `last`: the time of the last row, where more rows follow. */
export type FoundPart<T> = { rows: T[]; last?: string }

/** Each page's rows. `isFull`: more rows follow the last page. `isReading`: the last page is read for the first time. */
export type Pages<T> = { pages: T[][]; isFull: boolean; isReading: boolean }

type Page<T> = { from?: string; rows?: T[]; stop: () => void }

type Observer<T> = { next: (pages: Pages<T>) => unknown; error: (cause: unknown) => unknown }

/**
 * Follows a list page by page, each with a live query of its own: a change reads again only the page that it is in,
 * and a page that is added reads only itself. A page that others follow keeps its bounds from then on, so that
 * each row stays in its page; until it is read again it still learns of every change below it. The arrays of rows are
 * the same until they change.
 */
export function followPages<T>(
  read: (part: Part) => Promise<FoundPart<T>>,
  sizes: { first: number; next: number },
  observer: Observer<T>,
): { more: () => void; stop: () => void } {
  const pages: Page<T>[] = []

  const add = () => {
    const before = pages.at(-1)
    const limit = before ? sizes.next : sizes.first
    const page: Page<T> = { stop: () => {} }
    pages.push(page)
    page.stop = followLive(() => read({ below: before?.from, from: page.from, limit }), {
      next: ({ rows, last }) => {
        page.rows = rows
        page.from ??= last
        tell()
      },
      error: observer.error,
    })
  }
  const tell = () =>
    observer.next({
      pages: pages.flatMap(({ rows }) => (rows ? [rows] : [])),
      isFull: pages.at(-1)?.from !== undefined,
      isReading: pages.at(-1)?.rows === undefined,
    })

  add()
  return {
    /** Adds a page, once the last one is full. */
    more: () => {
      if (pages.at(-1)?.from === undefined) return
      add()
      tell()
    },
    stop: () => {
      for (const page of pages) page.stop()
    },
  }
}
