import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import type { StoredPage } from '../../rows.ts'
import { ofAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import { dropFromList } from '../projection.ts'

/*
 * An admin's lists are too long for a device. What was looked at is kept: the rows in their tables,
 * and here which rows stood on which page of which list. The rest stays on the server.
 */

export type PagedList =
  | 'adminDeliveries'
  | 'adminUsers'
  | 'adminDrivers'
  | 'adminDisputes'
  | 'adminAudit'
  | 'adminPayouts'

/**
 * What one page is asked for with; `after` is the `next` of the page before it. Route and days narrow
 * deliveries alone: zones by name, the first and the last day as `2026-11-21`.
 */
export type PageQuery = {
  search?: string
  sort?: string
  status?: string
  after?: string
  limit?: string
} & DeliveryFilter
export type DeliveryFilter = {
  pickupZone?: string
  dropoffZone?: string
  createdFrom?: string
  createdTo?: string
}

/** Pages one account may keep, ten rows each. */
const most = 150

/** One text for one question, whatever order its parts were named in. */
export function queryText(query: PageQuery): string {
  const parts = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(parts.sort(([a], [b]) => a.localeCompare(b))).toString()
}

/** The page as it is watched and pulled. */
export const pageRef = (list: PagedList, query: PageQuery): ListRef => ({
  kind: list,
  query: queryText(query) || undefined,
})

/** Inside the pull's transaction: the page, and space freed for it. */
export async function savePage(db: SomaDb, page: StoredPage): Promise<void> {
  await db.pages.put(page)
  const old = await ofAccount(db.pages, 'at', page.account).reverse().offset(most).toArray()
  if (old.length > 0) await forget(db, page.account, old)
}

async function forget(db: SomaDb, account: string, old: StoredPage[]): Promise<void> {
  await db.pages.bulkDelete(old.map(({ list, query }) => [account, list, query]))
  await db.pulls.bulkDelete(old.map(({ list, query }) => [account, pulledAs(list, query)]))
  const left = await ofAccount(db.pages, 'at', account).toArray()
  const needed = new Set(left.flatMap(({ ids }) => ids))
  const unneeded = [...new Set(old.flatMap(({ ids }) => ids))].filter((id) => !needed.has(id))
  const keys = unneeded.map((id): [string, string] => [account, id])
  await dropFromList(db, account, unneeded)
  for (const table of [db.users, db.drivers, db.disputes, db.audit, db.payouts])
    await table.bulkDelete(keys)
}

/** The key a stored page was pulled under. */
const pulledAs = (list: string, query: string): string =>
  listKey(list === 'adminUser' ? { kind: list, id: query } : { kind: list, query })
