import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Pulled } from '#sync/database/engine-db.ts'
import { day } from '#sync/lists/pulls.ts'
import type { DeliveryRow } from '../../rows.ts'
import { ofAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import { isAlong, type OfferedRoute, offersRoute } from '../offered-route.ts'
import { dropFromList, mergeFromServer } from '../projection.ts'
import type { PagesSoFar } from './account-rows.ts'
import { type FullResponse, mergeInFull } from './full-responses.ts'
import { forgetRows, oldestOf } from './old-rows.ts'

/** Jobs on offer that a phone holds at most. */
const maxOffers = 2_000

type Page = { deliveries: Delivery[]; removed?: string[]; next?: string }

/** The list of one route: its key, and what is known of its pages. `serverTime`: the server's own time. */
type Offers = { list: string; pages: PagesSoFar; serverTime?: number }

/**
 * Saves the newest jobs on offer for one route inside the pull's transaction: a delta, or the first page
 * in full (S50). What the page lacks leaves the phone (S36), but for older jobs of another list.
 */
export async function saveOffers(
  db: SomaDb,
  { list, pages, serverTime }: Offers,
  page: Page,
  response: FullResponse,
): Promise<void> {
  const { account, serverAt } = response
  const stored = page.removed ? [] : await offersOf(db, account).toArray()
  if (page.removed) await mergeFromServer(db, account, page.deliveries, { serverAt })
  else await mergeInFull(db, page.deliveries, response)
  await forgetUnseenRoutes(db, account, list, serverTime)
  const missing = page.removed ?? (await missingFrom(db, account, list, page, stored))
  const found = await db.deliveries.bulkGet(missing.map((id): [string, string] => [account, id]))
  await dropFromList(
    db,
    account,
    found.flatMap((row) => (row?.openAt !== undefined && row.known ? [row.ID] : [])),
  )
  if (!page.removed) {
    const from = oldestOf(page.deliveries)
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
  const isOf = isAlongRouteOf(list)
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
    if (other.list !== list && spare.some((row) => isInExtentOf(other, row)))
      await db.pulls.delete([account, other.list])
  const isFull = spare.some(isOf)
  if (isFull) await db.pulls.update([account, list], { older: undefined })
  return isFull
}

/** Lists of routes that nobody has asked for within a day, and the jobs of no other list, leave (S50). */
async function forgetUnseenRoutes(
  db: SomaDb,
  account: string,
  list: string,
  serverTime: number | undefined,
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
      unseen.some((each) => isAlongRouteOf(each.list)(row)) &&
      !others.some((each) => isInExtentOf(each, row)) &&
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

const isAlongRouteOf = (list: string) => {
  const route: OfferedRoute = offersRoute(list)
  return ({ view }: DeliveryRow) => isAlong(route, view)
}

/** Whether a job belongs to what this phone holds of a list: its route, as far back as it was asked for. */
const isInExtentOf = ({ list, older }: Pulled, row: DeliveryRow): boolean =>
  isAlongRouteOf(list)(row) && (older?.from === undefined || (row.openAt ?? '') >= older.from)

async function missingFrom(
  db: SomaDb,
  account: string,
  list: string,
  { deliveries, next }: Page,
  stored: readonly DeliveryRow[],
): Promise<string[]> {
  const there = new Set(deliveries.map(({ ID }) => ID))
  const others = (await offerLists(db, account)).filter((each) => each.list !== list)
  // The list is ordered by age: what is older than the last job of a page may still be on a later one.
  const oldest = next === undefined ? '' : (oldestOf(deliveries) ?? '')
  return stored
    .filter((row) => isAlongRouteOf(list)(row) && !there.has(row.ID))
    .filter(
      (row) => (row.openAt ?? '') > oldest || !others.some((other) => isInExtentOf(other, row)),
    )
    .map(({ ID }) => ID)
}
