import type { SessionInfo } from '#contract/responses.ts'
import { type Delivery, isActiveDelivery } from '#domain/deliveries/delivery.ts'
import type { Dispute } from '#domain/deliveries/dispute.ts'
import { type DriverStatus, isApprovedDriver, type User } from '#domain/users/user.ts'
import { deleteState } from '#sync/database/device/state.ts'
import { guestAccount, type ListExtent } from '#sync/database/engine-db.ts'
import { puts, writeInParts } from '#sync/database/write-in-parts.ts'
import { pulledListsWith } from '#sync/lists/pulls.ts'
import { unsentEntries } from '#sync/outbox/unsent.ts'
import type { DeliveryRow, Session } from '../../rows.ts'
import { currentSession, ofAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import { dropFromList, mergeFromServer, projectLanes } from '../projection.ts'
import { serverRow } from '../row-schema.ts'
import { noteTakenJobs } from '../taken-jobs.ts'
import { type FullResponse, mergeInFull, notBroughtSince } from './full-responses.ts'
import { dropOld, type OwnIndex, oldestOf } from './old-rows.ts'
import { noteMoved } from './refused-delivery.ts'

/* What lists of somebody's own bring, inside the pull's transaction. */

/** One delivery, as its screen asks for it. */
export async function saveDelivery(
  db: SomaDb,
  id: string,
  delivery: Delivery,
  response: FullResponse,
): Promise<void> {
  const { account } = response
  await mergeInFull(db, [delivery], response)
  await deleteState(db, `gone:${account}:${id}`)
  if (account === guestAccount) await noteMoved(db, id, false)
}

/** What this person's side has reported about a delivery (R59): all there is. */
export async function saveReports(
  db: SomaDb,
  account: string,
  delivery: string,
  reports: readonly Dispute[],
): Promise<void> {
  await db.disputes.where('[account+DeliveryID]').equals([account, delivery]).delete()
  await writeInParts(
    puts(
      db.disputes,
      reports.map((report) => ({ ...report, account })),
    ),
  )
}

/** What is known of a list that comes in several pages, from one page to the next. */
export type PagesSoFar = {
  /** IDs of the pages saved before. */
  seen: Set<string>
  /** Primary keys of what was stored of the list when its first page came: nothing else can be missing from it. */
  stored?: readonly [string, string][]
  /** What the oldest row of the first page is sorted by, where older pages follow it. */
  oldest?: string
  /** These pages are not the list's own: they bring what is active, however old. */
  areBesides?: true
  /** Whether the phone may hold ended rows of the list: only those can be too old to keep. */
  mayHaveOld?: boolean
  /** What of the list is not stored, once that is known. */
  extent?: ListExtent
}

type Page = {
  deliveries: Delivery[]
  removed?: string[]
  taken?: { ID: string; reason: string; at: string }[]
  next?: string
}

/**
 * A page of a list: a delta names what left; a full response leaves out what is no longer in it (S36). Where
 * older pages follow, what is older than the page stays, but for what was active and is so no more (S50).
 * `serverTime`: the server's own time, milliseconds since 1970.
 */
export async function saveDeliveries(
  db: SomaDb,
  by: OwnIndex,
  page: Page,
  pages: PagesSoFar,
  response: FullResponse,
  serverTime?: number,
): Promise<void> {
  const { account } = response
  const ended = page.deliveries.filter((delivery) => !isActiveDelivery(delivery))
  pages.mayHaveOld ||= page.removed !== undefined || ended.length > 0
  if (page.removed) {
    await mergeFromServer(db, account, page.deliveries, { serverAt: response.serverAt })
    if (by === 'jobAt') await noteTakenJobs(db, account, page.removed, page.taken)
    await dropFromList(db, account, await missingFrom(db, account, by, page, pages))
  } else {
    if (!pages.stored) await beginPages(db, account, by, page, pages)
    // What an earlier page brought is newer than the list's cursor, if it has changed since: it comes again.
    const news = page.deliveries.filter(({ ID }) => !pages.seen.has(ID))
    await mergeInFull(db, news, response)
    const found = await missingFrom(db, account, by, page, pages)
    const missing = await notBroughtSince(db, found, response)
    if (by === 'jobAt') await noteTakenJobs(db, account, missing)
    await dropFromList(db, account, missing)
  }
  // Once, with the last page: what it looks at grows with each.
  const isDue = page.next === undefined && pages.mayHaveOld
  if (isDue && (await dropOld(db, account, by, serverTime))) pages.extent = { older: {} }
}

/** What is stored of the list as its first page comes, and how far that page reaches. */
async function beginPages(
  db: SomaDb,
  account: string,
  by: OwnIndex,
  page: Page,
  pages: PagesSoFar,
): Promise<void> {
  pages.stored = await ofAccount(db.deliveries, by, account).primaryKeys()
  pages.mayHaveOld ||= pages.stored.length > 0
  const from = oldestOf(page.deliveries)
  // Of a page of which nothing could be read it is not known how far it reaches.
  pages.oldest = page.next && (from ?? '\uffff')
  pages.extent = { older: page.next ? { after: page.next, from } : undefined }
}

async function missingFrom(
  db: SomaDb,
  account: string,
  by: OwnIndex,
  { deliveries, removed, next }: Page,
  { seen, stored = [], oldest, areBesides }: PagesSoFar,
): Promise<string[]> {
  const isIn = (row: DeliveryRow | undefined) => row?.[by] !== undefined && row.known
  if (removed) {
    const named = await db.deliveries.bulkGet(removed.map((id): [string, string] => [account, id]))
    return named.flatMap((row) => (row && isIn(row) ? [row.ID] : []))
  }
  // More of the list is on its way: only then is it known what is missing.
  if (next && (areBesides || oldest === undefined)) return []
  const there = new Set(deliveries.map(({ ID }) => ID))
  const left = stored.filter(([, id]) => !there.has(id) && !seen.has(id))
  const found = await db.deliveries.bulkGet(left)
  const isCovered = (row: DeliveryRow) =>
    oldest === undefined || (row[by] ?? '') > oldest || (areBesides && isUnderWay(row))
  return found.flatMap((row) => (row && isIn(row) && isCovered(row) ? [row.ID] : []))
}

const isUnderWay = (row: DeliveryRow): boolean => isActiveDelivery(serverRow(row) ?? row.view)

/** Replaces the list of the account's sessions (R12); inside the pull's transaction. */
export async function saveSessions(
  db: SomaDb,
  account: string,
  sessions: SessionInfo[],
): Promise<void> {
  await ofAccount(db.ownSessions, 'id', account).delete()
  await db.ownSessions.bulkPut(sessions.map((each) => ({ ...each, account })))
}

/** The person's own profile. */
export const saveUser = (db: SomaDb, account: string, user: User): Promise<void> =>
  saveSession(db, account, (session) => ({ ...session, user, expired: undefined }))

/** Whether the driver is approved (R4); `reason`: of a rejection (R200). */
export const saveDriverStatus = (
  db: SomaDb,
  account: string,
  driverStatus: DriverStatus,
  driverReason?: string,
): Promise<void> =>
  saveSession(db, account, (session) => ({
    ...session,
    user: { ...session.user, driverStatus },
    driverReason,
  }))

/** The login as `change` makes it, and what follows from it for the rows on this phone. */
async function saveSession(
  db: SomaDb,
  account: string,
  change: (session: Session) => Session,
): Promise<void> {
  const before = await currentSession(db)
  if (before?.account !== account) return
  const changed = change(before)
  const isNews = changed.user.driverStatus !== before.user.driverStatus
  // Told once, however often it changes until then (R100).
  const toldStatus = before.toldStatus ?? (isNews ? before.user.driverStatus : undefined)
  const session = { ...changed, toldStatus }
  await db.sessions.put(session)
  if (!isApprovedDriver(session.user)) await dropOffers(db, account)
  const { Verified, role, driverStatus } = before.user
  const { user } = session
  if (user.Verified === Verified && user.role === role && user.driverStatus === driverStatus) return
  // What the rules foresee of their operations depends on who they are.
  await projectLanes(db, await unsentEntries(db, account))
}

/** Jobs on offer are for approved drivers: whoever is none any more sees no more of them (R24). */
async function dropOffers(db: SomaDb, account: string): Promise<void> {
  const offers = await ofAccount(db.deliveries, 'openAt', account).primaryKeys()
  if (offers.length === 0) return
  await dropFromList(
    db,
    account,
    offers.map(([, id]) => id),
  )
  // An approval that comes again begins with the whole list.
  for (const list of await pulledListsWith(db, account, 'available'))
    await db.pulls.delete([account, list])
}
