import type { Delivery } from '#domain/deliveries/delivery.ts'
import { shownDetour } from '#domain/zones/on-the-way.ts'
import { distancesOf } from '#domain/zones/roads.ts'
import type { Pulled } from '#sync/database/engine-db.ts'
import { day } from '#sync/lists/pulls.ts'
import type { DeliveryRow } from '../../rows.ts'
import { ofAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import { stillOffered } from '../left-offers.ts'
import { type JobMatcher, jobMatcher, offeredIn } from '../offered-route.ts'
import { mergeFromServer } from '../projection.ts'
import type { PagesSoFar } from './account-rows.ts'
import { dropMissing, type FullResponse, mergeInFull } from './full-responses.ts'
import { forgetRows, oldestOf } from './old-rows.ts'

/** Jobs on offer that a phone holds at most. */
const maxOffers = 2_000

type Page = { deliveries: Delivery[]; removed?: string[]; next?: string }

/** The list of one route: its key, and what is known of its pages. `serverTime`: the server's own time. */
type Offers = { list: string; pages: PagesSoFar; serverTime?: number }

/**
 * Saves the newest jobs on offer for one route inside the pull's transaction: a delta, or the first page
 * in full (S50). What the page lacks leaves the phone (S36), but for older jobs of another list. What an event or
 * another response said since it was asked for stands (S78).
 */
export async function saveOffers(
  db: SomaDb,
  { list, pages, serverTime }: Offers,
  page: Page,
  response: FullResponse,
): Promise<void> {
  const { account, askedAt, serverAt } = response
  const stored = page.removed ? [] : await offersOf(db, account).toArray()
  const jobs = stillOffered(db, page.deliveries, askedAt).map(withoutDetour)
  if (page.removed) await mergeFromServer(db, account, jobs, { serverAt })
  else await mergeInFull(db, jobs, response)
  const matchers = await listMatchers(db)
  await forgetUnseenRoutes(db, account, { list, serverTime }, matchers)
  const missing = page.removed ?? (await missingFrom(db, account, { list, matchers }, page, stored))
  const found = await db.deliveries.bulkGet(missing.map((id): [string, string] => [account, id]))
  await dropMissing(
    db,
    found.flatMap((row) => (row?.openAt !== undefined && row.known ? [row.ID] : [])),
    response,
  )
  if (!page.removed) {
    const from = endOfPage(page.deliveries)
    const older = page.next === undefined ? undefined : { after: page.next, from }
    pages.extent = { older, olderAt: undefined }
  }
  if (await dropBeyondBound(db, account, list)) pages.extent = { older: undefined }
}

/**
 * At most 2,000 jobs on offer stay: first those leave that are not of the route `list`, then the oldest (S50).
 * Resolves to whether jobs of that route left: the phone holds as many of it as it may.
 */
export async function dropBeyondBound(db: SomaDb, account: string, list: string): Promise<boolean> {
  if ((await offersOf(db, account).count()) <= maxOffers) return false
  const matchers = await listMatchers(db)
  const isOf = ({ view }: DeliveryRow) => matchers(list)(view) !== undefined
  const newest = await offersOf(db, account).reverse().toArray()
  const ranked = [...newest.filter(isOf), ...newest.filter((row) => !isOf(row))]
  const spare = ranked.slice(maxOffers).filter(({ marks }) => marks.length === 0)
  await forgetRows(
    db,
    account,
    spare.map(({ ID }) => ID),
  )
  // A route that lost jobs to the bound has a hole: it is asked for in full when it is looked at again.
  for (const other of await offerLists(db, account))
    if (other.list !== list && spare.some((row) => isInExtentOf(other, row, matchers)))
      await db.pulls.delete([account, other.list])
  const isFull = spare.some(isOf)
  if (isFull) await db.pulls.update([account, list], { older: undefined })
  return isFull
}

/** Lists of routes that nobody has asked for within a day, and the jobs of no other list, leave (S50). */
async function forgetUnseenRoutes(
  db: SomaDb,
  account: string,
  { list, serverTime }: Pick<Offers, 'list' | 'serverTime'>,
  matchers: Matchers,
): Promise<void> {
  if (serverTime === undefined) return
  const lists = (await offerLists(db, account)).filter((each) => each.list !== list)
  const unseen = lists.filter((each) => serverTime - (each.serverTime ?? 0) > day)
  if (unseen.length === 0) return
  await db.pulls.bulkDelete(unseen.map((each): [string, string] => [account, each.list]))
  const current = await db.pulls.get([account, list])
  const others = lists.filter((each) => !unseen.includes(each)).concat(current ?? [])
  const left = (await offersOf(db, account).toArray()).filter(
    (row) =>
      unseen.some((each) => matchers(each.list)(row.view) !== undefined) &&
      !others.some((each) => isInExtentOf(each, row, matchers)) &&
      row.marks.length === 0,
  )
  await forgetRows(
    db,
    account,
    left.map(({ ID }) => ID),
  )
}

const offersOf = (db: SomaDb, account: string) => ofAccount(db.deliveries, 'openAt', account)

const offerLists = (db: SomaDb, account: string): Promise<Pulled[]> =>
  db.pulls
    .where('[account+list]')
    .between([account, 'available'], [account, 'available\uffff'])
    .toArray()

/** Which jobs a list is of, by its key. */
type Matchers = (list: string) => JobMatcher

/** Finds detours over the roads that this phone knows, offline too (R164). Made once for each list. */
async function listMatchers(db: SomaDb): Promise<Matchers> {
  const distance = distancesOf(await db.zones.toArray())
  const known = new Map<string, JobMatcher>()
  return (list) => {
    const matcher = known.get(list) ?? jobMatcher(offeredIn(list), distance)
    known.set(list, matcher)
    return matcher
  }
}

/** Whether a job belongs to what this phone holds of a list: as far as it was asked for. */
function isInExtentOf({ list, older }: Pulled, row: DeliveryRow, matchers: Matchers): boolean {
  const detour = matchers(list)(row.view)
  return detour !== undefined && (older?.from === undefined || place(row, detour, older.from) <= 0)
}

const kilometres = ' km'

/**
 * Where a page of a list ends: at its last detour if the server orders by detour (`2.5 km`), else at the age of its
 * oldest job. An older server knows no ways and sends the newest jobs of all routes.
 */
export function endOfPage(jobs: readonly Delivery[]): string | undefined {
  const last = jobs.at(-1)?.detourKm
  return last === undefined ? oldestOf(jobs) : `${last}${kilometres}`
}

/** Below 0 for a job before the end of a page, above 0 for one after it; 0 for one that may be either. */
function place(row: DeliveryRow, detour: number, end: string): number {
  if (end.endsWith(kilometres)) return shownDetour(detour) - Number.parseFloat(end)
  const at = row.openAt ?? ''
  return at > end ? -1 : at < end ? 1 : 0
}

/** The row that is kept: the same from every list. */
export const withoutDetour = ({ detourKm: _, ...job }: Delivery): Delivery => job

async function missingFrom(
  db: SomaDb,
  account: string,
  { list, matchers }: { list: string; matchers: Matchers },
  { deliveries, next }: Page,
  stored: readonly DeliveryRow[],
): Promise<string[]> {
  const there = new Set(deliveries.map(({ ID }) => ID))
  const others = (await offerLists(db, account)).filter((each) => each.list !== list)
  // A job behind the end of this page may be on a later one.
  const end = next === undefined ? undefined : (endOfPage(deliveries) ?? '')
  const isBefore = (row: DeliveryRow, detour: number) =>
    end === undefined || place(row, detour, end) < 0
  return stored
    .filter((row) => {
      const detour = matchers(list)(row.view)
      if (detour === undefined || there.has(row.ID)) return false
      return isBefore(row, detour) || !others.some((each) => isInExtentOf(each, row, matchers))
    })
    .map(({ ID }) => ID)
}
