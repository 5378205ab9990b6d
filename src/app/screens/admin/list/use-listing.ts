import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { pageSize } from '#domain/product.ts'
import type { ListRef } from '#store/database/lists.ts'
import type { PagedList, PageQuery } from '#store/deliveries/save/admin-pages.ts'
import { pageRef, queryText } from '#store/deliveries/save/admin-pages.ts'
import { type Listing, listing, type RowOf } from '#store/queries/admin-pages.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { isUnavailable, type ListState, useListState } from '../../../hooks/use-list-state.ts'
import { useLive } from '../../../hooks/use-live.ts'

export type ListView<T> = {
  /** The page that is asked for. */
  list: ListRef
  /** The page to show; undefined until one is loaded. */
  page: Listing<T> | undefined
  /** Whether `page` belongs to an earlier search, sort or page, and the current one is loading. */
  busy: boolean
  search: string
  sort: string
  /** Whether the server can be reached for this page. */
  online: boolean
  state: ListState
  /** When the server last confirmed this page, in milliseconds. */
  at: number | undefined
  setSearch: (text: string) => void
  setSort: (sort: string) => void
  onPrevious?: () => void
  onNext?: () => void
}

/**
 * One of the admin's paged lists (R74, R85). Search and sort are in the address; the server is asked for
 * one page at a time, and the store's copy of the page is shown.
 */
export function useListing<L extends PagedList>(
  list: L,
  failure: string,
  status?: string,
): ListView<RowOf[L]> {
  const [params, setParams] = useSearchParams()
  const search = params.get('q') ?? ''
  const sort = params.get('sort') ?? ''
  const reachable = useLive(syncStatus)?.reachable !== false
  const [trail, setTrail] = usePageTrail(JSON.stringify([list, search, sort, status]), reachable)
  const query: PageQuery = {
    search,
    sort,
    status,
    limit: String(pageSize),
    after: trail.at(-1),
  }
  const [nothing, setNothing] = useState(false)
  const page = pageRef(list, query)
  const state = useListState(page, nothing ? failure : undefined)
  const online = reachable && !isUnavailable(state)
  const found = useLive(
    (db) => listing(db, list, query, { page: trail.length, reachable: online }),
    [list, queryText(query), trail.length, online],
  )
  const [shown, setShown] = useState<Listing<RowOf[L]>>()
  if (found && found !== shown) setShown(found)
  const none = found?.from === 'kept' && found.total === 0 && search === ''
  if (none !== nothing) setNothing(none)

  const change = (name: string, value: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
  const current = shown?.of === queryText(query) && shown.skipped === trail.length * pageSize
  const next = current ? shown.next : undefined
  return {
    list: page,
    page: shown,
    busy: !current,
    search,
    sort,
    online,
    state,
    at: state.is === 'known' ? state.at : undefined,
    setSearch: (text) => change('q', text.trim()),
    setSort: (name) => change('sort', name),
    onPrevious: trail.length > 0 ? () => setTrail(trail.slice(0, -1)) : undefined,
    onNext: next === undefined ? undefined : () => setTrail([...trail, next]),
  }
}

/**
 * The cursors of the pages before the current one. A new search or sort starts at the first page. So does a
 * walk through stored rows, which have no cursors (''), once the server can be reached.
 */
function usePageTrail(of: string, online: boolean): [string[], (trail: string[]) => void] {
  const [walk, setWalk] = useState<{ of: string; trail: string[] }>({ of, trail: [] })
  const isCurrent = walk.of === of && !(online && walk.trail.includes(''))
  return [isCurrent ? walk.trail : [], (trail) => setWalk({ of, trail })]
}
