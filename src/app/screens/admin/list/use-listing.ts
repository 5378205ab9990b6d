import { useState } from 'react'
import { pageSize } from '#domain/product.ts'
import type { PagedList, PageQuery } from '#store/deliveries/save/admin-pages.ts'
import { pageRef, queryText } from '#store/deliveries/save/admin-pages.ts'
import { type Listing, listing, type RowOf } from '#store/queries/admin/listings.ts'
import { syncStatus } from '#store/queries/queries.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'
import { isUnavailable, type ListState, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { readTrail, writeTrail } from './address-query.ts'
import { useAddress } from './use-address.ts'

export type ListView<T> = {
  /** The page that is asked for. */
  list: ListRef
  /** The page to show; undefined until one is loaded. */
  page: Listing<T> | undefined
  /** Whether `page` belongs to an earlier search, sort or page, and the current one is loading. */
  busy: boolean
  search: string
  sort: string
  /** Rows of each status; undefined while nothing is known of the list. */
  counts: Readonly<Record<string, number>> | undefined
  /** The search and the filters, as the server is asked. */
  filters: PageQuery
  /** Whether the search or a filter other than the status leaves rows out. */
  isNarrowed: boolean
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

/** Filters of a list, besides its search; `limit`: rows on a page; `usualSort`: where the address names none. */
type Filters = Omit<PageQuery, 'search' | 'sort' | 'after' | 'limit'> & {
  limit?: number
  usualSort?: string
}

/**
 * One of the admin's paged lists (R74, R85). Page, search, sort and filters are in the address (R188); the server is asked
 * for one page at a time, and the store's copy of the page is shown.
 */
export function useListing<L extends PagedList>(
  list: L,
  failure: string,
  { limit = pageSize, usualSort = '', ...narrowing }: Filters = {},
): ListView<RowOf[L]> {
  const [params, change] = useAddress()
  const search = params.get('q') ?? ''
  const sort = params.get('sort') ?? usualSort
  const filters: PageQuery = { ...narrowing, search }
  const reachable = useLive(syncStatus)?.reachable !== false
  const [trail, setTrail] = usePageTrail(reachable)
  const query: PageQuery = { ...filters, sort, limit: String(limit), after: trail.at(-1) }
  const [nothing, setNothing] = useState(false)
  const page = pageRef(list, query)
  const state = useListState(page, nothing ? failure : undefined)
  const online = reachable && !isUnavailable(state)
  const at = { page: trail.length, reachable: online, account: useVisitor().account }
  const found: Listing<RowOf[L]> | null | undefined = useLive(listing<L>, list, query, at)
  const [shown, setShown] = useState<Listing<RowOf[L]>>()
  if (found && found !== shown) setShown(found)
  const isNarrowed = Object.entries(filters).some(([name, value]) => name !== 'status' && value)
  const none = found?.from === 'stored' && found.total === 0 && !isNarrowed
  if (none !== nothing) setNothing(none)

  const current = shown?.of === queryText(query) && shown.skipped === trail.length * pageSize
  const next = current ? shown.next : undefined
  return {
    list: page,
    page: shown,
    busy: !current,
    search,
    sort,
    counts: shown?.from === 'stored' && shown.total === 0 ? undefined : shown?.counts,
    filters,
    isNarrowed,
    online,
    state,
    at: state.is === 'known' ? state.at : undefined,
    setSearch: (text) => change({ q: text.trim() }),
    setSort: (name) => change({ sort: name }),
    onPrevious: trail.length > 0 ? () => setTrail(trail.slice(0, -1)) : undefined,
    onNext: next === undefined ? undefined : () => setTrail([...trail, next]),
  }
}

/**
 * The cursors of the pages before the current one. A walk through stored rows, which have no cursors (''), starts at
 * the first page once the server can be reached.
 */
function usePageTrail(online: boolean): [string[], (trail: string[]) => void] {
  const [params, change] = useAddress()
  const trail = readTrail(params.get('after'))
  const isCurrent = !(online && trail.includes(''))
  return [isCurrent ? trail : [], (next) => change({ after: writeTrail(next) })]
}
