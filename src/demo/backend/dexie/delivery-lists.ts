import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { DeliveryList, DeliveryPage, Page, StoredDelivery } from '#server/ports/repo.ts'
import type { DeliveryRow, ServerDb } from './database.ts'
import { currentCursor } from './incarnations.ts'
import { matchesSearch, pageOf, type Sortings } from './paging.ts'

const sortings: Sortings<StoredDelivery> = {
  createdAt: ({ createdAt }) => createdAt,
  offer: ({ offer }) => offer,
}

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
    const { rows, next } = pageOf(all, sortings, idOf, page)
    return { rows, cursor, next }
  }
  const changed = await changedSince(db, list, from, page.search)
  const { rows, next } = pageOf(changed, sortings, idOf, page)
  const isInList = (each: Delivery) => hasMember(list, each) && isInStatus(list, each)
  const removed = rows.filter((each) => !isInList(each)).map(idOf)
  return { rows: rows.filter(isInList), removed, cursor, next }
}

export async function countOf(db: ServerDb, list: DeliveryList, search?: string): Promise<number> {
  return (await matching(db, list, search)).filter((each) => isInStatus(list, each)).length
}

const idOf = ({ ID }: Delivery) => ID

async function matching(db: ServerDb, list: DeliveryList, search?: string) {
  const rows = await candidates(db, list).toArray()
  return rows
    .map(({ delivery }) => delivery)
    .filter((each) => hasMember(list, each) && matchesSearch(search, textsOf(each)))
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
    .filter((each) => matchesSearch(search, textsOf(each)))
}

/** Whether a delivery is in the list now, or has left it after this change. */
function isOrWasMember(list: DeliveryList, row: DeliveryRow, from: number): boolean {
  const { of } = list
  const { delivery, leftPending = 0, releasedFrom } = row
  if (of !== 'everyone' && 'driver' in of && releasedFrom === of.driver) return true
  if (!hasMember(list, delivery)) return false
  return (
    of === 'everyone' || !('forDriver' in of) || isInStatus(list, delivery) || leftPending > from
  )
}

/** Whether a delivery is in the list, whatever its status. */
function hasMember({ of }: DeliveryList, { sender, driver, ...delivery }: Delivery): boolean {
  if (of === 'everyone') return true
  if ('sender' in of) return sender?.id === of.sender
  if ('driver' in of) return driver?.id === of.driver
  if ('party' in of) return sender?.id === of.party || driver?.id === of.party
  const { forDriver, pickupZone, dropoffZone } = of
  return (
    sender?.id !== forDriver &&
    (pickupZone === undefined || delivery.pickupZone === pickupZone) &&
    (dropoffZone === undefined || delivery.dropoffZone === dropoffZone)
  )
}

const isInStatus = ({ statuses }: DeliveryList, { status }: Delivery) =>
  !statuses || statuses.includes(status)

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
