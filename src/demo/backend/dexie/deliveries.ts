import {
  type Delivery,
  isActiveDelivery,
  isActiveJob,
  isOnlyDelivery,
  isOnOffer,
} from '#domain/deliveries/delivery.ts'
import { isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import { Refusal } from '#domain/errors.ts'
import type { Deliveries, StoredDelivery } from '#server/ports/stores/delivery-stores.ts'
import { type DeliveryRow, type IndexKey, lastChange, type ServerDb, wasAdded } from './database.ts'
import { countByStatus, countPaid, pageSince } from './delivery-lists.ts'

/** The order in which a guest finds their deliveries again: under way, on offer, ended. */
const liveFirst = ({ status }: Delivery) =>
  status === 'Pending' ? 1 : isActiveDelivery({ status }) ? 0 : 2

export function deliveriesOver(db: ServerDb): Deliveries {
  const { deliveries, incarnations } = db
  const get = async (id: string) => (await deliveries.get(id))?.delivery
  return {
    get,
    lock: get,
    async add(delivery) {
      const added = { ...delivery, version: 1 }
      const row = await rowOf(db, added)
      if (!(await wasAdded(deliveries.add(row)))) throw new Refusal('key-reused')
      await assertUnique(db, row)
      return added
    },
    async save({ ID }, delivery) {
      const before = await deliveries.get(ID)
      if (!before) throw new Error('There is no such delivery to save')
      // The device's clock may be behind: a later change never gets an earlier time.
      const earliest = Date.parse(before.delivery.updatedAt) + 1
      const updatedAt = new Date(Math.max(Date.parse(delivery.updatedAt), earliest)).toISOString()
      // The hashes are the create's: no change of a delivery names the recipient's.
      const { handoverHash, trackHash, version } = before.delivery
      const saved = { ...delivery, handoverHash, trackHash, updatedAt, version: version + 1 }
      const row = withDepartures(await rowOf(db, saved), before)
      await deliveries.put(row)
      await assertUnique(db, row)
      return saved
    },
    async lockDue(at, limit) {
      const [delivered, carried, held] = await Promise.all([
        marked(db, 'status:Delivered').toArray(),
        marked(db, 'status:Picked Up').toArray(),
        marked(db, 'held:').toArray(),
      ])
      const isDue = ({ dueAt, disputed, refundDueAt }: Delivery) =>
        (dueAt !== undefined && dueAt <= at && !disputed) ||
        (refundDueAt !== undefined && refundDueAt <= at)
      return [...delivered, ...carried, ...held]
        .map(({ delivery }) => delivery)
        .filter(isDue)
        .slice(0, limit)
    },
    async countLive(of) {
      const uses = ({ itemDescription, pickupZone, dropoffZone }: Delivery) =>
        'item' in of
          ? itemDescription === of.item
          : of.zones.includes(pickupZone) || of.zones.includes(dropoffZone)
      const isLive = ({ delivery: { status } }: DeliveryRow) =>
        status !== 'Approved' && status !== 'Cancelled'
      const rows = await deliveries.filter(isLive).toArray()
      return rows.filter(({ delivery }) => uses(delivery)).length
    },
    async ofGuest(phone, endedSince) {
      const rows = await deliveries
        .filter(
          ({ delivery }) =>
            delivery.isGuestDelivery &&
            delivery.senderPhone === phone &&
            (isActiveDelivery(delivery) || delivery.updatedAt > endedSince),
        )
        .toArray()
      return rows
        .map(({ delivery }) => delivery)
        .sort((a, b) => liveFirst(a) - liveFirst(b) || (a.createdAt < b.createdAt ? 1 : -1))
        .slice(0, 50)
    },
    countOpenOfGuest: (phone) =>
      deliveries
        .filter(
          ({ delivery }) =>
            delivery.isGuestDelivery &&
            delivery.senderPhone === phone &&
            isActiveDelivery(delivery),
        )
        .count(),
    async hasCountedRating({ side, driver, sender }, since) {
      const rows = await marked(db, `driver:${driver}`).toArray()
      return rows.some(({ delivery }) => {
        const isSender = delivery.senderPhone === sender.phone
        const rating = delivery.ratings?.[side]
        if (!isSender && (sender.id === undefined || delivery.sender?.id !== sender.id))
          return false
        return rating !== undefined && rating.at > since && rating.counted !== false
      })
    },
    async uncountedOfGuest(phone) {
      const rows = await marked(db, 'status:Approved')
        .filter(
          ({ delivery }) =>
            delivery.isGuestDelivery &&
            delivery.senderPhone === phone &&
            delivery.ratings?.sender?.counted === false,
        )
        .sortBy('delivery.ID')
      return rows.map(({ delivery }) => delivery).slice(0, 50)
    },
    countReleased: (driverId) => deliveries.filter((row) => row.releasedFrom === driverId).count(),
    async lockUnfinishedOf(userId) {
      const rows = await Promise.all([
        marked(db, `sender:${userId}`).toArray(),
        marked(db, `driver:${userId}`).toArray(),
      ])
      return rows
        .flat()
        .map(({ delivery }) => delivery)
        .filter(isActiveDelivery)
        .sort((a, b) => (a.ID < b.ID ? -1 : 1))
    },
    async earnedBy(driverId, changedSince, createdBefore) {
      const rows = await marked(db, `driver:${driverId}`).toArray()
      return rows
        .map(({ delivery }) => delivery)
        .filter(({ status }) => status === 'Delivered' || !isActiveDelivery({ status }))
        .filter(({ updatedAt }) => updatedAt >= changedSince)
        .filter(({ createdAt }) => createdAt < createdBefore)
    },
    async approvedOffers(limit, route) {
      const rows = await marked(db, 'status:Approved').toArray()
      return rows
        .map(({ delivery }) => delivery)
        .filter((each) => !route || isOfRoute(each, route))
        .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
        .slice(0, limit)
        .map(({ offer, pickupZone, dropoffZone, sender, senderPhone = '' }) => ({
          offer,
          pickupZone,
          dropoffZone,
          senderId: sender?.id,
          senderPhone,
        }))
    },
    // One transaction, so that the cursor covers exactly these rows, and both are of one database.
    list: async (list, page, since) =>
      db.transaction('r', deliveries, incarnations, async () => pageSince(db, list, page, since)),
    listCounted: async (list, page, since) =>
      db.transaction('r', deliveries, incarnations, async () => ({
        ...(await pageSince(db, list, page, since)),
        ...(await countPaid(db, list, page.search)),
      })),
    countByStatus: (list) => countByStatus(db, list),
  }
}

const rowOf = async (db: ServerDb, delivery: StoredDelivery): Promise<DeliveryRow> => ({
  delivery,
  marks: marksOf(delivery),
  changed: (await lastChange(db)) + 1,
})

function marksOf(delivery: Delivery): IndexKey[] {
  const { status, sender, driver } = delivery
  const marks: IndexKey[] = [`status:${status}`]
  if (sender) marks.push(`sender:${sender.id}`)
  if (driver) marks.push(`driver:${driver.id}`)
  if (isHeld(delivery)) marks.push('held:')
  if (sender && isOnlyDelivery(delivery)) marks.push(`active-delivery:${sender.id}`)
  if (driver && isActiveJob(delivery)) marks.push(`active-job:${driver.id}`)
  return marks
}

const isOfRoute = (
  { pickupZone, dropoffZone, createdAt }: Delivery,
  route: { pickupZone: string; dropoffZone: string; since: string },
) =>
  pickupZone === route.pickupZone && dropoffZone === route.dropoffZone && createdAt >= route.since

const marked = ({ deliveries }: ServerDb, mark: IndexKey) => deliveries.where('marks').equals(mark)

/**
 * Throws the refusal `active-delivery` or `active-job`. Called after the row is written: the refusal
 * rolls the transaction back.
 */
async function assertUnique(db: ServerDb, { delivery, marks }: DeliveryRow) {
  for (const reason of ['active-delivery', 'active-job'] as const) {
    const mark = marks.find((each) => each.startsWith(reason))
    const ids = mark ? await marked(db, mark).primaryKeys() : []
    if (ids.some((id) => id !== delivery.ID)) throw new Refusal(reason)
  }
}

/** Records when a delivery stops being Pending, and which driver loses it. */
function withDepartures(row: DeliveryRow, before: DeliveryRow): DeliveryRow {
  const hasLeft = isOnOffer(before.delivery) && !isOnOffer(row.delivery)
  const driver = before.delivery.driver?.id
  return {
    ...row,
    leftPending: hasLeft ? row.changed : before.leftPending,
    releasedFrom: driver && driver !== row.delivery.driver?.id ? driver : before.releasedFrom,
  }
}
