import { type Delivery, isActiveDelivery, isActiveJob } from '#domain/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import type {
  Deliveries,
  DeliveryList,
  DeliveryPage,
  GuestTokens,
  Page,
  StoredDelivery,
} from '#server/ports/repo.ts'
import { type DeliveryRow, type IndexKey, type ServerDb, wasAdded } from './database.ts'
import { matchesSearch, pageOf, type Sortings } from './paging.ts'

const sortings: Sortings<StoredDelivery> = {
  createdAt: ({ createdAt }) => createdAt,
  offer: ({ offer }) => offer,
}

export function deliveriesOver(db: ServerDb): Deliveries {
  const { deliveries, settings } = db
  const get = async (id: string) => (await deliveries.get(id))?.delivery

  /** Transactions that write come one after another, so one that commits late has a late number too. */
  async function lastChange(): Promise<number> {
    const [last] = await deliveries.orderBy('changed').reverse().limit(1).keys()
    return Number(last ?? 0)
  }

  const rowOf = async (delivery: StoredDelivery): Promise<DeliveryRow> => ({
    ...{ delivery, marks: marksOf(delivery) },
    changed: (await lastChange()) + 1,
  })

  /** Looked at once it is written: a refusal undoes that too. Refusals: active-delivery, active-job. */
  async function mustBeOnly({ delivery, marks }: DeliveryRow) {
    for (const reason of ['active-delivery', 'active-job'] as const) {
      const mark = marks.find((each) => each.startsWith(reason))
      const all = mark ? await marked(mark).primaryKeys() : []
      if (all.some((id) => id !== delivery.ID)) throw new Refusal(reason)
    }
  }

  const marked = (mark: IndexKey) => deliveries.where('marks').equals(mark)

  /** All that may be on the list, by the index that leaves out most. */
  function candidates({ of, statuses }: DeliveryList) {
    if (of !== 'everyone' && 'sender' in of) return marked(`sender:${of.sender}`)
    if (of !== 'everyone' && 'driver' in of) return marked(`driver:${of.driver}`)
    const [status, another] = statuses ?? []
    return status && !another ? marked(`status:${status}`) : deliveries.toCollection()
  }

  /** What is in the list, or left it after this change, so that its reader could see it. */
  async function changedSince(list: DeliveryList, from: number, search?: string) {
    const rows = await deliveries.where('changed').above(from).toArray()
    return rows
      .filter((row) => wasIn(list, row, from))
      .map(({ delivery }) => delivery)
      .filter((each) => matchesSearch(search, textsOf(each)))
  }

  async function found(list: DeliveryList, search?: string) {
    const rows = await candidates(list).toArray()
    return rows
      .map(({ delivery }) => delivery)
      .filter((each) => isOf(list, each) && matchesSearch(search, textsOf(each)))
  }

  return {
    get,
    lock: get,
    async add(delivery) {
      const added = { ...delivery, version: 1 }
      const row = await rowOf(added)
      if (!(await wasAdded(deliveries.add(row)))) throw new Refusal('key-reused')
      await mustBeOnly(row)
      return added
    },
    async save(delivery) {
      const before = await get(delivery.ID)
      if (!before) throw new Error('There is no such delivery to save')
      // A change that waited for another is the later of the two, whatever its clock said.
      const soonest = Date.parse(before.updatedAt) + 1
      const updatedAt = new Date(Math.max(Date.parse(delivery.updatedAt), soonest)).toISOString()
      const saved = { ...delivery, updatedAt, version: before.version + 1 }
      const row = withLeavings(await rowOf(saved), await deliveries.get(delivery.ID))
      await deliveries.put(row)
      await mustBeOnly(row)
      return saved
    },
    async lockUnfinishedOf(userId) {
      const theirs = await Promise.all([
        marked(`sender:${userId}`).toArray(),
        marked(`driver:${userId}`).toArray(),
      ])
      return theirs
        .flat()
        .map(({ delivery }) => delivery)
        .filter(isActiveDelivery)
        .sort((a, b) => (a.ID < b.ID ? -1 : 1))
    },
    // In one transaction: the rows are all that the cursor says has been seen, and of the same database.
    list: async (list, page, since) =>
      db.transaction('r', deliveries, settings, async () => pageSince(list, page, since)),
    async count(list, search) {
      return (await found(list, search)).filter((each) => isInStatus(list, each)).length
    },
  }

  async function pageSince(list: DeliveryList, page: Page, since?: string): Promise<DeliveryPage> {
    const last = await lastChange()
    const epoch = (await settings.get('epoch'))?.value
    const cursor = `${epoch}-${last}`
    const [theirs, number] = since?.match(/^(\w{16})-(\d{1,15})$/)?.slice(1) ?? []
    const from = theirs === epoch && Number(number) <= last ? Number(number) : undefined
    const idOf = ({ ID }: Delivery) => ID
    if (from === undefined) {
      const all = (await found(list, page.search)).filter((each) => isInStatus(list, each))
      const { rows, next } = pageOf(all, sortings, idOf, page)
      return { rows, cursor, next }
    }
    const changed = await changedSince(list, from, page.search)
    const { rows, next } = pageOf(changed, sortings, idOf, page)
    const stays = (each: Delivery) => isOf(list, each) && isInStatus(list, each)
    const removed = rows.filter((each) => !stays(each)).map(idOf)
    return { rows: rows.filter(stays), removed, cursor, next }
  }
}

export function guestTokensOver({ guestTokens, deliveries }: ServerDb): GuestTokens {
  const hasEnded = async (id: string, before: string) => {
    const { status, updatedAt = '' } = (await deliveries.get(id))?.delivery ?? {}
    return (status === 'Approved' || status === 'Cancelled') && updatedAt < before
  }
  return {
    async add(hash, deliveryId) {
      await guestTokens.add({ hash, deliveryId })
    },
    async find(hash, endedBefore) {
      const id = (await guestTokens.get(hash))?.deliveryId
      return id !== undefined && !(await hasEnded(id, endedBefore)) ? id : undefined
    },
    async sweep(endedBefore) {
      for (const { hash, deliveryId } of await guestTokens.toArray())
        if (await hasEnded(deliveryId, endedBefore)) await guestTokens.delete(hash)
    },
  }
}

function marksOf(delivery: Delivery): IndexKey[] {
  const { status, sender, driver } = delivery
  const marks: IndexKey[] = [`status:${status}`]
  if (sender) marks.push(`sender:${sender.id}`)
  if (driver) marks.push(`driver:${driver.id}`)
  if (sender && isActiveDelivery(delivery)) marks.push(`active-delivery:${sender.id}`)
  if (driver && isActiveJob(delivery)) marks.push(`active-job:${driver.id}`)
  return marks
}

/** Notes when a delivery stops being Pending, and whom it is taken from. */
function withLeavings(row: DeliveryRow, before: DeliveryRow | undefined): DeliveryRow {
  const wasPending = before?.delivery.status === 'Pending'
  const driver = before?.delivery.driver?.id
  return {
    ...row,
    leftPending:
      wasPending && row.delivery.status !== 'Pending' ? row.changed : before?.leftPending,
    releasedFrom: driver && driver !== row.delivery.driver?.id ? driver : before?.releasedFrom,
  }
}

/** In the list now, or left it after this change. */
function wasIn(list: DeliveryList, row: DeliveryRow, from: number): boolean {
  const { of } = list
  const { delivery, leftPending = 0, releasedFrom } = row
  if (of !== 'everyone' && 'driver' in of && releasedFrom === of.driver) return true
  if (!isOf(list, delivery)) return false
  return (
    of === 'everyone' || !('forDriver' in of) || isInStatus(list, delivery) || leftPending > from
  )
}

/** The part of a list that a change of status leaves as it is. */
function isOf({ of }: DeliveryList, { sender, driver, ...delivery }: Delivery): boolean {
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
  ...[delivery.itemDescription, delivery.status, delivery.senderName, delivery.recipientName],
  ...[delivery.recipientPhone, delivery.pickupZone, delivery.dropoffZone],
  ...[delivery.driver?.name, delivery.ID],
]
