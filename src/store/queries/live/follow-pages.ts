import { type Observer as FollowObserver, followLive } from './follow-live.ts'

/**
 * A range of a list that is sorted by a time, newest first: below `below`, if it is there, and down to `from`, which is
 * within it. Without `from`: `limit` rows, and those that have the same time as the last of them.
 */
export type ListRange = { below?: string; from?: string; limit: number }

/**
 * `last`: the time of the last row, where more rows follow. `isComplete`: the phone had the whole of what the rows are
 * chosen from when they were read.
 */
export type FoundRange<T> = { rows: T[]; last?: string; isComplete?: boolean }

/**
 * Each page's rows, and what follows them: rows that the phone holds, or a page that is read for the first time.
 * `isComplete`: of every page.
 */
export type Pages<T> = { pages: T[][]; next: 'none' | 'more' | 'reading'; isComplete: boolean }

type Page<T> = {
  limit: number
  from?: string
  rows?: T[]
  isComplete?: boolean
  stop: () => void
}

type Observer<T> = Pick<FollowObserver<Pages<T>>, 'next' | 'error'>

/**
 * Follows a list page by page, each with a live query of its own: a change reads again only the page that it is in,
 * and a page that is added reads only itself. A page that others follow keeps its bounds from then on, so that
 * each row stays in its page; until it is read again it still learns of every change below it. The arrays of rows are
 * the same until they change. A list that can only be read as a whole (no `last`) is one page, which is cut.
 */
export function followPages<T>(
  read: (range: ListRange) => Promise<FoundRange<T>>,
  sizes: { first: number; next: number },
  observer: Observer<T>,
): { more: () => void; stop: () => void } {
  const pages: Page<T>[] = []

  const add = () => {
    const before = pages.at(-1)
    const limit = before ? sizes.next : sizes.first
    const page: Page<T> = { limit, stop: () => {} }
    pages.push(page)
    page.stop = followLive(() => read({ below: before?.from, from: page.from, limit }), {
      next: ({ rows, last, isComplete }) => {
        page.rows = rows
        page.isComplete = isComplete
        page.from ??= last
        tell()
      },
      error: observer.error,
    })
  }
  const tell = () =>
    observer.next({
      pages: pages.flatMap((page) =>
        page.rows ? [isCut(page) ? page.rows.slice(0, page.limit) : page.rows] : [],
      ),
      next: nextOf(pages.at(-1)),
      isComplete: pages.every((page) => page.isComplete === true),
    })

  add()
  return {
    /** Adds a page, once the last one is full. */
    more: () => {
      const last = pages.at(-1)
      if (!last || nextOf(last) !== 'more') return
      if (isCut(last)) last.limit += sizes.next
      else add()
      tell()
    },
    stop: () => {
      for (const page of pages) page.stop()
    },
  }
}

const isCut = <T>({ from, rows, limit }: Page<T>): boolean =>
  from === undefined && rows !== undefined && rows.length > limit

function nextOf<T>(last: Page<T> | undefined): Pages<T>['next'] {
  if (!last?.rows) return 'reading'
  return last.from !== undefined || isCut(last) ? 'more' : 'none'
}
