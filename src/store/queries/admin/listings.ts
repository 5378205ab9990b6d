import type { Table } from 'dexie'
import type { AuditEntry } from '#contract/responses.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Dispute } from '#domain/deliveries/dispute.ts'
import { isUnpaid, unpaidStatus } from '#domain/deliveries/payment.ts'
import { idEndOf } from '#domain/deliveries/reference.ts'
import { fold } from '#domain/fold.ts'
import { actionText, idsInSubject } from '#domain/office/action-text.ts'
import { mayBeContact, soughtText } from '#domain/office/search-text.ts'
import { pageSize } from '#domain/product.ts'
import type { User } from '#domain/users/user.ts'
import type { Zone } from '#domain/zones/zone.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'
import { isCurrentRow } from '../../deliveries/row-schema.ts'
import {
  type DeliveryFilter,
  type PagedList,
  type PageQuery,
  queryText,
} from '../../deliveries/save/admin-pages.ts'
import type { DeliveryRow, StoredPage } from '../../rows.ts'
import { currentAccount, ofAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import {
  type Application,
  applicationsOf,
  type DisputeRow,
  disputesOf,
  type PayoutRow,
  payoutsOf,
} from './admin.ts'

/** What each list is of. */
export type RowOf = {
  adminDeliveries: DeliveryRow
  adminUsers: User
  adminDrivers: Application
  adminDisputes: DisputeRow
  adminAudit: AuditEntry
  adminPayouts: PayoutRow
}

/** One page of an admin's list, as much as this device has of it. */
export type Listing<T> = {
  /** What was asked, so that a screen can tell one result from another. */
  of: string
  rows: T[]
  /** Rows before these in the list. */
  skipped: number
  /** Of the whole list; of the rows stored here when `from` is `stored`. */
  total: number
  /** The list has more rows than `total`, which nobody counts. */
  atLeast?: boolean
  /** `server`: a page as the server sorted it. `stored`: found among all rows this device has. */
  from: 'server' | 'stored'
  /** Where the next page begins; empty for stored rows; missing when there is none. */
  next?: string
  /** How many rows of each status the list has, whatever status is asked for. */
  counts?: Record<string, number>
}

/**
 * The page a screen wants, the `page`-th from 0. While the server can be reached that is a page it
 * was asked for, or `null` until its response is here; otherwise what can be had without it.
 */
export async function listing<L extends PagedList>(
  db: SomaDb,
  list: L,
  query: PageQuery,
  { page, reachable, account }: { page: number; reachable: boolean; account?: string },
): Promise<Listing<RowOf[L]> | null> {
  const owner = account ?? (await currentAccount(db))
  const about = { of: queryText(query), skipped: page * pageSize }
  const stored = await db.pages.get([owner, list, about.of])
  if (stored) {
    const rows = await rowsOf(db, list, owner, stored.ids)
    const next =
      stored.next && (reachable || (await isStored(db, stored, query))) ? stored.next : undefined
    const shown = rows.filter((row) => standsIn(row, query.status))
    return {
      ...about,
      rows: shown,
      total: stored.total,
      atLeast: stored.atLeast,
      from: 'server',
      next,
      counts: stored.counts,
    }
  }
  return reachable ? null : { ...about, ...(await among(db, list, owner, query, about.skipped)) }
}

async function isStored(db: SomaDb, page: StoredPage, query: PageQuery): Promise<boolean> {
  const text = queryText({ ...query, after: page.next })
  return (await db.pages.get([page.account, page.list, text])) !== undefined
}

/** Searched and sorted here, over all rows of the kind that this device has. */
async function among<L extends PagedList>(
  db: SomaDb,
  list: L,
  account: string,
  query: PageQuery,
  skip: number,
) {
  const all = await rowsOf(db, list, account)
  const matching = all.filter(matchesText(query.search))
  const narrowed = matching.filter((row) => !('view' in row) || isWithin(row.view, query))
  const found = narrowed.filter((row) => standsIn(row, query.status)).sort(order(query.sort))
  const rows = found.slice(skip, skip + pageSize)
  const next = skip + rows.length < found.length ? '' : undefined
  const counts = countsOf(list, list === 'adminDrivers' ? all : narrowed)
  return { rows, total: found.length, from: 'stored' as const, next, counts }
}

/** Whether a row has the text that somebody typed, as the server compares it (R186). */
function matchesText(typed = ''): (row: AnyRow) => boolean {
  const text = soughtText(typed)
  const end = idEndOf(text)
  if (end) return (row) => idsOf(row).some((id) => id.endsWith(end))
  const sought = fold(text)
  const contacts = mayBeContact(text) ? contactsOf : () => ''
  return (row) => fold(textOf(row) + contacts(row)).includes(sought)
}

/** Phones and e-mail addresses of both sides of a delivery. */
const contactsOf = (row: AnyRow): string =>
  'view' in row
    ? [row.view.sender ?? { phone: row.view.senderPhone, email: '' }, row.view.driver]
        .map((contact) => `\n${contact?.phone ?? ''}\n${contact?.email ?? ''}`)
        .join('')
    : ''

async function rowsOf<L extends PagedList>(
  db: SomaDb,
  list: L,
  account: string,
  ids?: string[],
): Promise<RowOf[L][]> {
  const readers: { [K in PagedList]: () => Promise<RowOf[K][]> } = {
    adminDeliveries: async () =>
      (await storedRows(db.deliveries, account, ids)).filter(isCurrentRow),
    adminUsers: () => storedRows(db.users, account, ids),
    adminDrivers: async () =>
      applicationsOf(db, account, await storedRows(db.drivers, account, ids)),
    adminDisputes: async () => disputesOf(db, account, await storedRows(db.disputes, account, ids)),
    adminAudit: () => storedRows(db.audit, account, ids),
    adminPayouts: async () => payoutsOf(db, account, await storedRows(db.payouts, account, ids)),
  }
  return readers[list]()
}

async function storedRows<T>(
  table: Table<T, [string, string]>,
  account: string,
  ids?: string[],
): Promise<T[]> {
  if (!ids) return ofAccount(table, 'ID', account).toArray()
  const rows = await table.bulkGet(ids.map((id) => [account, id]))
  return rows.filter((row) => row !== undefined)
}

type AnyRow = RowOf[PagedList]

/** A row that changed since its page was asked for leaves a list it no longer belongs to. */
function standsIn(row: AnyRow, status: string | undefined): boolean {
  if (!status || status === 'all') return true
  if ('view' in row) return shownStatus(row.view) === status
  if ('Status' in row) return row.Status === status
  if (isPayout(row)) return status.split(',').includes(row.status)
  return !isDispute(row) || (row.status ?? 'open') === status
}

/** As the filters have it: an unpaid request is not Pending (R232). */
const shownStatus = (view: Delivery): string => (isUnpaid(view) ? unpaidStatus : view.status)

/** Whether a delivery is on this route and was created in these days, both included (R85). */
function isWithin(view: Delivery, query: DeliveryFilter): boolean {
  const { pickupZone, dropoffZone, createdFrom = '', createdTo } = query
  const day = view.createdAt.slice(0, 10)
  return (
    (!pickupZone || view.pickupZone === pickupZone) &&
    (!dropoffZone || view.dropoffZone === dropoffZone) &&
    day >= createdFrom &&
    (!createdTo || day <= createdTo)
  )
}

/** The IDs that a reference may stand for in the search of a list (R98). */
function idsOf(row: AnyRow): string[] {
  if ('view' in row) return [row.ID]
  if (isAudit(row)) return idsInSubject(row.Subject)
  return isDispute(row) || isPayout(row) ? [row.ID, row.DeliveryID] : []
}

const isAudit = (row: AnyRow): row is AuditEntry => 'Actor' in row
const isPayout = (row: AnyRow): row is PayoutRow => 'amount' in row
const isDispute = (row: AnyRow): row is DisputeRow => 'DeliveryID' in row && !isPayout(row)

/** Everything of a row that a search may find: as on the server. */
function textOf(row: AnyRow): string {
  if ('view' in row) {
    const { view } = row
    const route = [view.pickupZone, view.dropoffZone]
    const people = [view.sender?.name ?? view.senderName, view.recipientName, view.driver?.name]
    return [view.ID, view.itemDescription, view.status, ...route, ...people, view.recipientPhone]
      .filter((text) => text !== undefined)
      .join('\n')
  }
  if ('Status' in row)
    return [row.User.Name, row.User.Email, row.User.Phone, row.IDNumber].join('\n')
  if (isDispute(row)) return [row.issue ?? '', row.DeliveryID].join('\n')
  if (isPayout(row)) return [row.driver.name, row.reference ?? ''].join('\n')
  if (isAudit(row))
    return [row.Actor, row.Action, actionText(row.Action), row.Subject, row.Address].join('\n')
  return [row.name, row.email, row.phone_number, row.role].join('\n')
}

/** `offer`, `name` or `email`, `-` before it turns it round; newest first otherwise. */
function order(sort = ''): (a: AnyRow, b: AnyRow) => number {
  const name = sort.replace(/^-/, '')
  const way = sort.startsWith('-') ? -1 : 1
  if (name === 'offer') return (a, b) => way * (offerOf(a) - offerOf(b))
  if (name === 'name' || name === 'email')
    return (a, b) => way * wordOf(a, name).localeCompare(wordOf(b, name))
  if (name === 'Actor' || name === 'Action')
    return (a, b) => way * auditWord(a, name).localeCompare(auditWord(b, name))
  if (sort === 'createdAt' || sort === 'At') return (a, b) => dateOf(a).localeCompare(dateOf(b))
  // IDs are made in the order of time.
  return (a, b) => dateOf(b).localeCompare(dateOf(a))
}

const auditWord = (row: AnyRow, name: 'Actor' | 'Action') => (isAudit(row) ? row[name] : '')
const offerOf = (row: AnyRow) => ('view' in row ? row.view.offer : 0)
const wordOf = (row: AnyRow, name: 'name' | 'email') => (name in row ? (row as User)[name] : '')

function dateOf(row: AnyRow): string {
  if ('view' in row) return row.view.createdAt
  if (isAudit(row)) return row.At
  if (isPayout(row)) return row.createdAt
  if ('Status' in row) return row.CreatedAt ?? row.ID
  return isDispute(row) ? ((row as Dispute).CreatedAt ?? row.ID) : row.ID
}

/** Number of rows by status, of the lists that count them. */
function countsOf(list: PagedList, rows: AnyRow[]): Record<string, number> | undefined {
  if (list !== 'adminDrivers' && list !== 'adminDeliveries') return undefined
  const counts: Record<string, number> =
    list === 'adminDrivers' ? { pending: 0, approved: 0, rejected: 0 } : {}
  for (const row of rows) {
    const status = 'view' in row ? shownStatus(row.view) : (row as Application).Status
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

/** What the search over everything finds, the newest of each kind first (R186). */
export type SearchResults = {
  /** `server`: as the server found it. `stored`: among the rows that this device has. */
  from: 'server' | 'stored'
  people: User[]
  deliveries: DeliveryRow[]
  disputes: DisputeRow[]
  zones: Zone[]
}

/** `null` until the server's response is here; of stored rows while it cannot be reached. */
export async function searchResults(
  db: SomaDb,
  typed: string,
  { reachable, account }: { reachable: boolean; account?: string },
): Promise<SearchResults | null> {
  const owner = account ?? (await currentAccount(db))
  const page = await db.pages.get([owner, 'adminSearch', searchQuery(typed)])
  if (!page && reachable) return null
  const find = async <L extends 'adminUsers' | 'adminDeliveries' | 'adminDisputes'>(list: L) =>
    page
      ? rowsOf(db, list, owner, page.ids)
      : (await among(db, list, owner, { search: typed }, 0)).rows
  const zones = (await db.zones.toArray()).filter(({ Name }) => fold(Name).includes(fold(typed)))
  return {
    from: page ? 'server' : 'stored',
    people: await find('adminUsers'),
    deliveries: await find('adminDeliveries'),
    disputes: await find('adminDisputes'),
    zones: zones.slice(0, pageSize),
  }
}

/** The search as it is watched and pulled. */
export const searchRef = (typed: string): ListRef => ({
  kind: 'adminSearch',
  query: searchQuery(typed),
})

const searchQuery = (typed: string) => new URLSearchParams({ q: typed }).toString()
