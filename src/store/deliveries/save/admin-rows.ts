import type { Table } from 'dexie'
import type { AuditEntry } from '#contract/responses.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Dispute } from '#domain/deliveries/dispute.ts'
import { unpaidStatus } from '#domain/deliveries/payment.ts'
import type { Payout } from '#domain/payment-fields.ts'
import type { DriverApplication } from '#domain/users/driver.ts'
import { PersonFacts } from '#domain/users/standing/person-facts.ts'
import type { User } from '#domain/users/user.ts'
import { puts, type Write, writeInParts } from '#sync/database/write-in-parts.ts'
import type { Owned, SomaDb } from '../../soma-db.ts'
import { isBroughtSince } from '../project.ts'
import { savePage } from './admin-pages.ts'
import { type FullResponse, mergeInFull } from './full-responses.ts'

/* What an admin's lists bring, inside the pull's transaction. */

/** Which page of which list it is. */
type PageOf = { list: string; query: string }

/** What every page carries about its list. */
type Paging = {
  total?: number
  /** The list has more rows than `total`. */
  atLeast?: boolean
  next?: string
  counts?: Record<string, number>
  /** Beside `counts`: requests that are not paid (R232). */
  unpaidRequests?: number
}

type Rows = {
  deliveries?: Delivery[]
  users?: User[]
  drivers?: DriverApplication[]
  disputes?: Dispute[]
  entries?: AuditEntry[]
  payouts?: Payout[]
}

/** One page: its rows, and which they were. */
export async function saveAdminPage(
  db: SomaDb,
  { list, query }: PageOf,
  page: Rows & Paging,
  response: FullResponse,
): Promise<void> {
  const { account, now: at } = response
  const { deliveries = [], users = [], drivers = [], disputes = [], entries = [] } = page
  const { payouts = [] } = page
  await mergeInFull(db, deliveries, response)
  await writeInParts([
    ...(await unchanged(db.users, users, response)),
    ...(await unchanged(db.drivers, drivers, response)),
    ...(await unchanged(db.disputes, disputes, response)),
    ...puts(db.audit, owned(account, entries)),
    ...(await unchanged(db.payouts, payouts, response)),
  ])
  const ids = [deliveries, users, drivers, disputes, entries, payouts].flatMap((rows) =>
    rows.map(({ ID }) => ID),
  )
  const { total = ids.length, next, unpaidRequests: unpaid } = page
  const counts = page.counts && unpaid ? { ...page.counts, [unpaidStatus]: unpaid } : page.counts
  // The last page shows where the list ends.
  const atLeast = (page.atLeast && next !== undefined) || undefined
  await savePage(db, { account, list, query, ids, total, atLeast, next, counts, at })
}

/** As writes: those rows of a response that no act of the office has changed since it was asked for (S78). */
async function unchanged<T extends { ID: string }>(
  table: Table<Owned<T>, [string, string]>,
  rows: readonly T[],
  { account, ...times }: FullResponse,
): Promise<Write[]> {
  const stored = await table.bulkGet(rows.map(({ ID }): [string, string] => [account, ID]))
  const current = rows.filter((_, at) => !isBroughtSince(stored[at], times))
  return puts(table, owned(account, current))
}

export const owned = <T>(account: string, rows: readonly T[]) =>
  rows.map((row) => ({ ...row, account }))

type OneUser = {
  user: User
  deliveries: Delivery[]
  application?: DriverApplication
  total?: number
  about?: unknown
}

/** One person, with their deliveries. */
export async function saveAdminUser(
  db: SomaDb,
  id: string,
  { user, deliveries, application, about, total = deliveries.length }: OneUser,
  response: FullResponse,
): Promise<void> {
  const { account, now: at } = response
  await writeInParts([
    ...(await unchanged(db.users, [user], response)),
    ...(await unchanged(db.drivers, application ? [application] : [], response)),
  ])
  await mergeInFull(db, deliveries, response)
  const ids = [user.ID, ...deliveries.map(({ ID }) => ID)]
  const facts = PersonFacts.safeParse(about).data
  await savePage(db, { account, list: 'adminUser', query: id, ids, total, about: facts, at })
}

/** Stores one dispute with its delivery; inside the pull's transaction. */
export async function saveAdminDispute(
  db: SomaDb,
  { dispute, delivery }: { dispute: Dispute; delivery?: Delivery },
  response: FullResponse,
): Promise<void> {
  await writeInParts(await unchanged(db.disputes, [dispute], response))
  if (delivery) await mergeInFull(db, [delivery], response)
}
