import type { Delivery } from '#domain/deliveries/delivery.ts'
import { bounds } from '../../account/account.ts'
import { pulledListsWith } from '../../database/pulls.ts'
import type { DeliveryRow } from '../../rows.ts'
import type { SomaDb } from '../../soma-db.ts'
import { isAlong, type OfferedRoute, routeOf } from '../offered-route.ts'
import { dropFromList, mergeFromServer } from '../projection.ts'
import { type FullAnswer, mergeInFull } from './reconcile.ts'

/** Jobs on offer that a phone holds at most. */
const maxOffers = 2_000

type Page = { deliveries: Delivery[]; removed?: string[]; next?: string }

/**
 * Saves the newest jobs on offer for one route inside the pull's transaction: a delta, or the first page
 * in full (S50). What the page lacks leaves the phone (S36), but for older jobs of another list.
 */
export async function saveOffers(
  db: SomaDb,
  route: OfferedRoute,
  page: Page,
  answer: FullAnswer,
): Promise<void> {
  const { account, serverAt } = answer
  const held = page.removed ? [] : await offersOf(db, account).toArray()
  if (page.removed) await mergeFromServer(db, account, page.deliveries, { serverAt })
  else await mergeInFull(db, page.deliveries, answer)
  const missing = page.removed ?? (await missingFrom(db, account, route, page, held))
  const found = await db.deliveries.bulkGet(missing.map((id): [string, string] => [account, id]))
  const left = found.filter((row) => row?.openAt !== undefined && row.known)
  await dropFromList(
    db,
    account,
    left.flatMap((row) => row?.ID ?? []),
  )
  await dropSpareOffers(db, account)
}

/** The oldest jobs on offer leave the phone where it holds too many (S50); inside the caller's transaction. */
export async function dropSpareOffers(db: SomaDb, account: string): Promise<void> {
  const tooMany = await offersOf(db, account).reverse().offset(maxOffers).toArray()
  const spare = tooMany.filter(({ marks }) => marks.length === 0)
  await dropFromList(
    db,
    account,
    spare.map(({ ID }) => ID),
  )
}

const offersOf = (db: SomaDb, account: string) =>
  db.deliveries.where('[account+openAt]').between(...bounds(account))

async function missingFrom(
  db: SomaDb,
  account: string,
  route: OfferedRoute,
  { deliveries, next }: Page,
  held: readonly DeliveryRow[],
): Promise<string[]> {
  const there = new Set(deliveries.map(({ ID }) => ID))
  const pulled = await pulledListsWith(db, account, 'available')
  const others = pulled
    .map((key) => routeOf(key.slice('available?'.length)))
    .filter((other) => offerKey(other) !== offerKey(route))
  // The list is ordered by age: what is older than the last job of a page may still be on a later one.
  const oldest = next === undefined ? '' : oldestOf(deliveries)
  return held
    .filter((row) => isAlong(route, row.view) && !there.has(row.ID))
    .filter(
      (row) => (row.openAt ?? '') > oldest || !others.some((other) => isAlong(other, row.view)),
    )
    .map(({ ID }) => ID)
}

const offerKey = ({ pickupZone, dropoffZone }: OfferedRoute) =>
  JSON.stringify([pickupZone, dropoffZone])

const oldestOf = (deliveries: readonly Delivery[]): string =>
  deliveries.map(({ createdAt }) => createdAt).sort()[0] ?? ''
