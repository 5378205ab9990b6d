import { type Delivery, isOnOffer } from '#domain/deliveries/delivery.ts'
import { isUnpaid } from '#domain/deliveries/payment.ts'
import { idEndOf } from '#domain/deliveries/reference.ts'
import { mayBeContact, soughtPhone } from '#domain/office/search-text.ts'
import type { RouteOnWay } from '#domain/zones/on-the-way.ts'
import {
  type DeliveryList,
  type DeliveryPage,
  type StatusCounts,
  type StoredDelivery,
  withoutUnpaid,
} from '#server/ports/stores/delivery-stores.ts'
import type { Page } from '#server/ports/stores/paging.ts'
import type { DeliveryRow, ServerDb } from './database.ts'
import { currentCursor } from './incarnations.ts'
import { matchesSearch, pageOf, type Sortings } from './page-of.ts'

const sortings: Sortings<StoredDelivery> = {
  createdAt: ({ createdAt }) => createdAt,
  offer: ({ offer }) => offer,
}

/** One page of these rows; of a list of routes the smallest detour first (R164). */
function pageIn(rows: StoredDelivery[], { routes }: DeliveryList, page: Page) {
  if (!routes) return pageOf(rows, sortings, idOf, page)
  const detour = (delivery: StoredDelivery) => routeOf(routes, delivery)?.km ?? 0
  return pageOf(rows, { ...sortings, detour }, idOf, { ...page, sort: page.sort ?? 'detour' })
}

const routeOf = (routes: readonly RouteOnWay[], { pickupZone, dropoffZone }: Delivery) =>
  routes.find(({ pickup, dropoff }) => pickup === pickupZone && dropoff === dropoffZone)

/**
 * One page of a list. With a valid cursor: the deliveries that changed since, and the IDs of those that
 * left the list. Without one: the list itself.
 */
export async function pageSince(
  db: ServerDb,
  list: DeliveryList,
  page: Page,
  since?: string,
): Promise<DeliveryPage> {
  const { cursor, from } = await currentCursor(db, since)
  if (from === undefined) {
    const all = (await matching(db, list, page.search)).filter((each) => isInStatus(list, each))
    const { rows, next } = pageIn(all, list, page)
    return { rows, cursor, next }
  }
  const changed = await changedSince(db, list, from, page.search)
  const { rows, next } = pageIn(changed, list, page)
  const isInList = (each: Delivery) => hasMember(list, each) && isInStatus(list, each)
  const removed = rows.filter((each) => !isInList(each)).map(idOf)
  return { rows: rows.filter(isInList), removed, cursor, next }
}

/** How many of each status the list would have without its `statuses`. */
export async function countByStatus(db: ServerDb, { of, only }: DeliveryList, search?: string) {
  const counts: StatusCounts = {}
  for (const { status } of await matching(db, { of, only }, search))
    counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** As `countByStatus`, with unpaid requests apart (R232). */
export async function countPaid(db: ServerDb, { of, only }: DeliveryList, search?: string) {
  const found = await matching(db, { of, only }, search)
  return withoutUnpaid(await countByStatus(db, { of, only }, search), found.filter(isUnpaid).length)
}

const idOf = ({ ID }: Delivery) => ID

async function matching(db: ServerDb, list: DeliveryList, search?: string) {
  const rows = await candidates(db, list).toArray()
  return rows
    .map(({ delivery }) => delivery)
    .filter((each) => hasMember(list, each) && isFoundBy(search, each))
}

/** Rows that may be in the list, by the most selective index. */
function candidates({ deliveries }: ServerDb, { of, statuses }: DeliveryList) {
  const byMark = (mark: DeliveryRow['marks'][number]) => deliveries.where('marks').equals(mark)
  if (of !== 'everyone' && 'sender' in of) return byMark(`sender:${of.sender}`)
  if (of !== 'everyone' && 'driver' in of) return byMark(`driver:${of.driver}`)
  const [status, another] = statuses ?? []
  return status && !another ? byMark(`status:${status}`) : deliveries.toCollection()
}

/** Changed deliveries that are in the list, or have left it, so that the reader may hold them. */
async function changedSince(
  { deliveries }: ServerDb,
  list: DeliveryList,
  from: number,
  search?: string,
) {
  const rows = await deliveries.where('changed').above(from).toArray()
  return rows
    .filter((row) => isOrWasMember(list, row, from))
    .map(({ delivery }) => delivery)
    .filter((each) => isFoundBy(search, each))
}

/** Whether a delivery is in the list now, or has left it after this change. */
function isOrWasMember(list: DeliveryList, row: DeliveryRow, from: number): boolean {
  const { of } = list
  const { delivery, leftPending = 0 } = row
  // Whoever had it before, too: each give-back names its driver.
  if (
    of !== 'everyone' &&
    'driver' in of &&
    delivery.incidents?.some((each) => each.driver === of.driver)
  )
    return true
  if (!hasMember(list, delivery)) return false
  return (
    of === 'everyone' || !('forDriver' in of) || isInStatus(list, delivery) || leftPending > from
  )
}

/** Whether a delivery is in the list, whatever its status. */
function hasMember({ of, only, routes }: DeliveryList, delivery: Delivery): boolean {
  const { sender, driver } = delivery
  if (routes && !routeOf(routes, delivery)) return false
  if (!isOnly(only, delivery)) return false
  if (of === 'everyone') return true
  if ('sender' in of) return sender?.id === of.sender
  if ('driver' in of) return driver?.id === of.driver
  if ('party' in of) return sender?.id === of.party || driver?.id === of.party
  return sender?.id !== of.forDriver
}

function isOnly(only: DeliveryList['only'] = {}, delivery: Delivery): boolean {
  const { pickupZone, dropoffZone, createdFrom, createdBefore } = only
  return (
    (pickupZone === undefined || delivery.pickupZone === pickupZone) &&
    (dropoffZone === undefined || delivery.dropoffZone === dropoffZone) &&
    (createdFrom === undefined || delivery.createdAt >= createdFrom) &&
    (createdBefore === undefined || delivery.createdAt < createdBefore)
  )
}

const isInStatus = ({ of, statuses, unpaid }: DeliveryList, delivery: Delivery) =>
  (!statuses || statuses.includes(delivery.status)) &&
  (of === 'everyone' || !('forDriver' in of) || isOnOffer(delivery)) &&
  (unpaid === undefined || isUnpaid(delivery) === unpaid)

/** A reference finds the deliveries it may stand for (R98); phones and e-mail addresses of both sides count too (R186). */
export function isFoundBy(search: string | undefined, delivery: Delivery): boolean {
  if (!search) return true
  const end = idEndOf(search)
  if (end) return delivery.ID.endsWith(end)
  const contacts = mayBeContact(search) ? contactsOf(delivery) : []
  return (
    matchesSearch(search, [...textsOf(delivery), ...contacts]) ||
    (delivery.isGuestDelivery && soughtPhone(search) === delivery.senderPhone)
  )
}

const contactsOf = ({ sender, driver }: Delivery) =>
  [sender, driver].flatMap((contact) => [contact?.phone, contact?.email])

const textsOf = (delivery: Delivery) => [
  delivery.itemDescription,
  delivery.status,
  delivery.senderName,
  delivery.recipientName,
  delivery.recipientPhone,
  delivery.pickupZone,
  delivery.dropoffZone,
  delivery.driver?.name,
  delivery.ID,
]
