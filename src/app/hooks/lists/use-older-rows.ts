import { startTransition, useMemo, useRef, useState } from 'react'
import { listInfo, type ReadPart, readLoaded } from '#store/queries/lists.ts'
import { followPages, type Pages } from '#store/queries/live/follow-pages.ts'
import { syncStatus } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import { useFollowed, useLive, useOwn } from '../use-live.ts'
import { useSoma } from '../use-soma.ts'
import { useVisitor } from '../use-visitor.ts'
import { useListPosition } from './use-list-position.ts'

/** Rows of the first part, which fills a large screen, and of another; even, because a wide screen has two beside each other. */
export const firstPart = 16
export const nextPart = 24

/** What follows the rows: nothing; rows that the phone holds (`held`), or such as the server has (`ready`). */
export type OlderState = 'none' | 'held' | 'ready' | 'loading' | 'offline' | 'failed'

export type OlderRows = {
  rows: DeliveryRow[] | undefined
  /** The rows are those of a list that was loaded, not of the time before: `useListState` may know it sooner. */
  isLoaded: boolean
  older: OlderState
  /** How many of them. */
  count: number
  /** Shows older rows; asks for them where the phone has none. */
  more: () => void
}

/**
 * Rows of a list that grows on scrolling (S50), page by page. `order` names the list's order: another one begins anew.
 */
export function useOlderRows(list: ListRef, read: ReadPart, order = ''): OlderRows {
  const { found, showNext } = usePages(read, listKey(list), order)
  const rows = useMemo(() => found?.pages.flat(), [found])
  const beyond = useOlder(list)
  const older = olderState()
  const more = older === 'held' ? showNext : beyond.more
  const isLoaded = found?.isComplete ?? false
  return { rows, isLoaded, count: rows?.length ?? 0, older, more }

  function olderState(): OlderState {
    if (!found) return 'none'
    if (found.next === 'reading') return 'loading'
    return found.next === 'more' ? 'held' : beyond.older
  }
}

/** Asks for rows that are older than all that the phone has of a list. */
export function useOlder(list: ListRef): Pick<OlderRows, 'older' | 'more'> {
  const soma = useSoma()
  const hasOlder = useOwn(listInfo, listKey(list))?.pulled?.older !== undefined
  const reachable = useLive(syncStatus)?.reachable !== false
  const [asked, setAsked] = useState<'ready' | 'loading' | 'failed'>('ready')
  // The next network is a reason to try again.
  if (!reachable && asked === 'failed') setAsked('ready')
  const more = async () => {
    if (!hasOlder) return
    setAsked('loading')
    const result = await soma.pullOlder(list).catch(() => 'failed')
    setAsked(result === 'done' ? 'ready' : 'failed')
  }
  const older = reachable ? asked : 'offline'
  return { older: hasOlder ? older : 'none', more: () => void more() }
}

/** Follows the pages of a list in an order; `read` may change with them alone. */
function usePages(
  read: ReadPart,
  list: string,
  order: string,
): { found: Pages<DeliveryRow> | undefined; showNext: () => void } {
  const { db } = useSoma()
  const { account } = useVisitor()
  const of = `${list} ${order}`
  const first = Math.max(firstPart, useListPosition(of))
  const more = useRef(() => {})
  const found = useFollowed<Pages<DeliveryRow>>(
    () => ({
      hasValue: () => false,
      subscribe: (next, error = () => {}) => {
        const followed = followPages(
          readLoaded(read, { db, list, account }),
          { first, next: nextPart },
          {
            next: (pages) => {
              // What is drawn below the screen may take its time.
              if (pages.pages.length > 1) startTransition(() => void next(pages))
              else next(pages)
            },
            error,
          },
        )
        more.current = followed.more
        return followed.stop
      },
    }),
    [db, account, list, order],
  )
  return { found, showNext: () => startTransition(() => more.current()) }
}
