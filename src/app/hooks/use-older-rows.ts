import { startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { type ListRef, listKey } from '#store/database/lists.ts'
import { type FoundPart, followPages, type Pages, type Part } from '#store/queries/follow-pages.ts'
import { pulled } from '#store/queries/lists.ts'
import { syncStatus } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { firstPart, nextPart } from '../components/page/row-grid.tsx'
import { useListPlace } from './use-list-place.ts'
import { useFollowed, useLive } from './use-live.ts'
import { useSoma } from './use-soma.ts'

/** What the end of a list can say. `none`: there is nothing older. */
export type OlderState = 'none' | 'ready' | 'loading' | 'offline' | 'failed'

export type OlderRows = {
  rows: DeliveryRow[] | undefined
  older: OlderState
  /** How many of them. */
  count: number
  /** The phone itself has what comes next. */
  isHeld: boolean
  /** Shows older rows; asks for them where the phone has none. */
  more: () => void
}

/**
 * Rows of a list that grows on scrolling (S50), page by page. `order` names the list's order: another one begins anew.
 */
export function useOlderRows(
  list: ListRef,
  read: (db: SomaDb, part: Part) => Promise<FoundPart<DeliveryRow>>,
  order = '',
): OlderRows {
  const soma = useSoma()
  const key = listKey(list)
  const of = `${key} ${order}`
  const first = Math.max(firstPart, useListPlace(of))
  const { found, addPage } = usePages(read, of, first)
  // A list that can only be read as a whole is one page, of which more and more is shown.
  const [cut, setCut] = useState({ of, limit: first })
  const limit = cut.of === of ? cut.limit : first
  const all = useMemo(() => found?.pages.flat(), [found])
  const isCut = found?.pages.length === 1 && !found.isFull && (all?.length ?? 0) > limit
  const rows = isCut ? all?.slice(0, limit) : all
  const part = useLive((db) => pulled(db, key), [key])
  const reachable = useLive(syncStatus)?.reachable !== false
  const [asked, setAsked] = useState<'no' | 'loading' | 'failed'>('no')
  const isHeld = isCut || found?.isFull === true
  const hasOlder = part?.older !== undefined
  // A new network is a reason to try again.
  useEffect(() => setAsked((was) => (reachable && was === 'failed' ? 'no' : was)), [reachable])
  const more = async () => {
    if (isCut) return startTransition(() => setCut({ of, limit: limit + nextPart }))
    if (isHeld) return addPage()
    if (!hasOlder) return
    setAsked('loading')
    const result = await soma.pullOlder(list).catch(() => 'failed')
    setAsked(result === 'done' ? 'no' : 'failed')
  }
  return { rows, count: rows?.length ?? 0, older: stateOf(), isHeld, more: () => void more() }

  function stateOf(): OlderState {
    if (found?.isReading) return 'loading'
    if (rows === undefined || (!isHeld && !hasOlder)) return 'none'
    if (isHeld) return 'ready'
    if (!reachable) return 'offline'
    return asked === 'no' ? 'ready' : asked
  }
}

/** Follows the pages of the list `of`; `read` may change with it alone. */
function usePages(
  read: (db: SomaDb, part: Part) => Promise<FoundPart<DeliveryRow>>,
  of: string,
  first: number,
): { found: Pages<DeliveryRow> | undefined; addPage: () => void } {
  const { db } = useSoma()
  const addPage = useRef(() => {})
  const found = useFollowed<Pages<DeliveryRow>>(
    ({ next, error }) => {
      const { more, stop } = followPages(
        (part) => read(db, part),
        { first, next: nextPart },
        {
          next: (pages) => {
            // What is drawn below the screen may take its time.
            if (pages.pages.length > 1 || pages.isReading) startTransition(() => next(pages))
            else next(pages)
          },
          error,
        },
      )
      addPage.current = more
      return stop
    },
    [db, of],
  )
  return { found, addPage: () => addPage.current() }
}
