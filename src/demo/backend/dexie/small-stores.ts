import Dexie, { type Table } from 'dexie'
import type { AuditEntry } from '#contract/responses.ts'
import { reporterOf, type StoredDispute } from '#domain/deliveries/dispute.ts'
import { repeatableKinds } from '#domain/deliveries/payment.ts'
import { idEndOf } from '#domain/deliveries/reference.ts'
import { Refusal } from '#domain/errors.ts'
import { actionText, idsInSubject } from '#domain/office/action-text.ts'
import { changeZone, removeZone, renameZone } from '#domain/zones/change-zone.ts'
import { currentName } from '#domain/zones/zone.ts'
import { withPeople } from '#server/ports/stores/audit-names.ts'
import type { GuestTokens } from '#server/ports/stores/delivery-stores.ts'
import type {
  Activities,
  Audit,
  Choices,
  Devices,
  Disputes,
  Ledger,
  MoneyTotals,
  StoredDevice,
  Transfer,
  Zones,
} from '#server/ports/stores/record-stores.ts'
import {
  type Attempts,
  maxSealed,
  type Requests,
  withdrawnMark,
} from '#server/ports/stores/request-store.ts'
import type { Settings } from '#server/ports/stores/settings-store.ts'
import {
  type ChoiceRow,
  type DisputeRow,
  type RequestRow,
  type ServerDb,
  wasAdded,
  type ZoneRow,
} from './database.ts'
import { isFoundBy as isDeliveryFoundBy } from './delivery-lists.ts'
import { matchesSearch, pageOf, type Sortings } from './page-of.ts'

export const attemptsOver = ({ attempts, counters, requests }: ServerDb): Attempts => ({
  // Only one transaction writes at a time, so there is nothing to lock.
  lock: async () => undefined,
  async since(key, since) {
    const range = attempts.where('[key+at]').between([key, since], [key, Dexie.maxKey], false)
    return (await range.toArray()).map(({ at }) => at)
  },
  count: (key, since) =>
    attempts.where('[key+at]').between([key, since], [key, Dexie.maxKey], false).count(),
  async add(attempt) {
    await attempts.add(attempt)
  },
  countUp: ({ key, at, since, until, unless = '' }) =>
    counters.db.transaction('rw', counters, requests, async () => {
      if ((await requests.get(unless))?.status) return undefined
      const before = await counters.get(key)
      const isOver = !before || before.began < since || before.began > until
      const counted = isOver ? { key, began: at, count: 1 } : { ...before, count: before.count + 1 }
      await counters.put(counted)
      return { count: counted.count, began: counted.began }
    }),
  removeById: (id) => attempts.delete(id),
  async forget(key) {
    await attempts.where('[key+at]').between([key, Dexie.minKey], [key, Dexie.maxKey]).delete()
  },
  async sweep(before) {
    await attempts.filter(({ at }) => at < before).delete()
    await counters.filter(({ began }) => began < before).delete()
  },
})

/** Everybody who was ever logged in there (R203). */
const withUser = ({ userId }: StoredDevice, before: string[] = []) =>
  userId ? [...new Set([...before, userId])] : before

export const devicesOver = ({ devices }: ServerDb): Devices => ({
  async get(code) {
    const row = await devices.get(code)
    if (!row) return undefined
    const { userIds: _, ...device } = row
    return device
  },
  async touch(device) {
    const kept = await devices.get(device.code)
    if (!kept) return false
    const known = Object.entries(device).filter(([, value]) => value !== undefined)
    const userIds = withUser(device, kept.userIds)
    await devices.put({ ...kept, ...Object.fromEntries(known), userIds })
    return true
  },
  async add(device) {
    await wasAdded(devices.add({ ...device, userIds: withUser(device) }))
  },
  async sweep(before) {
    await devices.filter(({ at }) => at < before).delete()
  },
})

export const requestsOver = ({ requests }: ServerDb): Requests => ({
  async find(id) {
    const { fingerprint = '', status, sealed } = (await requests.get(id)) ?? {}
    return status && sealed ? { fingerprint, status, sealed } : undefined
  },
  async findMany(ids) {
    const rows = await requests.bulkGet(ids)
    return new Map(
      rows.flatMap((row) =>
        row?.status && row.sealed
          ? [[row.id, { fingerprint: row.fingerprint, status: row.status, sealed: row.sealed }]]
          : [],
      ),
    )
  },
  claim: (id, fingerprint, at, person) =>
    wasAdded(requests.add({ id, fingerprint, at, ...(person ? { person } : {}) })),
  async answer(id, status, sealed) {
    const claimed = await requests.get(id)
    if (claimed) await requests.put({ ...claimed, status, sealed })
  },
  remove: (id) => requests.delete(id),
  async page(after, limit) {
    const rows = await requests.where('id').above(after).limit(limit).toArray()
    return answeredOf(rows)
  },
  async tooLarge(limit) {
    const isTooLarge = ({ sealed }: RequestRow) => (sealed?.length ?? 0) > maxSealed
    return answeredOf(await requests.filter(isTooLarge).limit(limit).toArray())
  },
  async sweep(before, refusalsBefore) {
    const isRefused = ({ status = 0 }: RequestRow) => status >= 400
    await requests
      .filter((row) => row.at < (isRefused(row) ? refusalsBefore : before))
      .filter(({ fingerprint }) => fingerprint !== withdrawnMark)
      .delete()
  },
})

const answeredOf = (rows: RequestRow[]) =>
  rows.flatMap(({ id, fingerprint, status, sealed }) =>
    status && sealed ? [{ id, fingerprint, status, sealed }] : [],
  )

export function choicesOver(table: Table<ChoiceRow, number>): Choices {
  const keyOf = (name: string) => name.trim().toLowerCase()
  return {
    list: async () => (await table.toArray()).map(({ ID, Name }) => ({ ID, Name })),
    has: async (name) => (await table.get({ nameKey: keyOf(name) }))?.Name === name,
    async add({ ID, Name }, at) {
      if (await wasAdded(table.add({ ID, Name, nameKey: keyOf(Name), at }))) return
      throw new Refusal((await table.get({ ID })) ? 'key-reused' : 'name-taken')
    },
    async rename(ID, Name) {
      const row = await table.get({ ID })
      if (!row) return
      const other = await table.get({ nameKey: keyOf(Name) })
      if (other && other.ID !== ID) throw new Refusal('name-taken')
      await table.put({ ...row, Name, nameKey: keyOf(Name) })
    },
    async arrange(ids) {
      const rows = (await table.toArray()).sort((a, b) => ids.indexOf(a.ID) - ids.indexOf(b.ID))
      // The place is the key.
      await table.clear()
      await table.bulkAdd(rows.map((row, at) => ({ ...row, place: at + 1 })))
    },
    remove: async (ID) => (await table.where({ ID }).delete()) > 0,
  }
}

/** A road stands in the rows of both its zones. */
export function zonesOver(table: Table<ZoneRow, number>): Zones {
  const choices = choicesOver(table)
  return {
    ...choices,
    async list() {
      const rows = await table.toArray()
      return rows.map(({ ID, Name, lat, lng, roads, former }) => ({
        ID,
        Name,
        lat,
        lng,
        roads,
        ...(former?.length ? { former } : {}),
      }))
    },
    async nameOf(name) {
      return currentName(await table.toArray(), name)
    },
    async rename(id, name) {
      const renamed = renameZone(await table.toArray(), id, name)
      await choices.rename(id, name)
      const nameKey = name.trim().toLowerCase()
      await table.bulkPut(renamed.map((row) => (row.ID === id ? { ...row, nameKey } : row)))
    },
    async change(id, change) {
      const rows = await table.toArray()
      if (!rows.some(({ ID }) => ID === id)) return false
      await table.bulkPut(changeZone(rows, id, change))
      return true
    },
    async remove(id) {
      await table.bulkPut(removeZone(await table.toArray(), id))
      return choices.remove(id)
    },
  }
}

const disputeSortings: Sortings<DisputeRow> = { createdAt: ({ CreatedAt }) => CreatedAt ?? '' }

const toDispute = ({ resolvedBy: _, reporterName, ...dispute }: DisputeRow): StoredDispute => ({
  ...dispute,
  reporter: reporterOf({ type: dispute.type, reporterName }),
})

export const disputesOver = ({ disputes, deliveries }: ServerDb): Disputes => ({
  async add(dispute) {
    if (!(await wasAdded(disputes.add({ ...dispute, status: 'open' }))))
      throw new Refusal('key-reused')
  },
  async get(id) {
    const row = await disputes.get(id)
    return row && toDispute(row)
  },
  async ofDelivery(deliveryId) {
    const found = await disputes.filter(({ DeliveryID }) => DeliveryID === deliveryId).toArray()
    const inOrder = (row: DisputeRow) => `${row.CreatedAt} ${row.ID}`
    return found.map(toDispute).sort((a, b) => inOrder(a).localeCompare(inOrder(b)))
  },
  async ofDeliveries(ids) {
    const found = await disputes.filter(({ DeliveryID }) => ids.includes(DeliveryID)).toArray()
    return found.map(toDispute).sort((a, b) => b.ID.localeCompare(a.ID))
  },
  async resolve(id, { resolution, at, by }) {
    const row = await disputes.get(id)
    if (row?.status !== 'open') return undefined
    const resolved: DisputeRow = { ...row, status: 'resolved', resolution, ResolvedAt: at }
    await disputes.put({ ...resolved, resolvedBy: by })
    return toDispute(resolved)
  },
  async list(page, status) {
    const all = await disputes.filter((row) => !status || row.status === status).toArray()
    const isAbout = await aboutFound(deliveries, page.search, all)
    const rows = all.filter((row) => isFoundBy(page.search, row) || isAbout(row))
    const paged = pageOf(rows, disputeSortings, ({ ID }) => ID, page)
    return { ...paged, rows: paged.rows.map(toDispute) }
  },
  async find(search, limit) {
    const end = idEndOf(search)
    const all = await disputes.toArray()
    const isAbout = await aboutFound(deliveries, search, all)
    const rows = all.filter((row) => isAbout(row) || (end && row.ID.endsWith(end)))
    return pageOf(rows, disputeSortings, ({ ID }) => ID, { limit }).rows.map(toDispute)
  },
})

/** Whether a dispute is about a delivery that the search finds. */
async function aboutFound(
  deliveries: ServerDb['deliveries'],
  search: string | undefined,
  disputes: DisputeRow[],
): Promise<(row: DisputeRow) => boolean> {
  if (!search) return () => false
  const rows = await deliveries.bulkGet(disputes.map(({ DeliveryID }) => DeliveryID))
  const found = rows.filter((row) => row && isDeliveryFoundBy(search, row.delivery))
  const ids = new Set(found.map((row) => row?.delivery.ID))
  return ({ DeliveryID }) => ids.has(DeliveryID)
}

/** A reference finds the disputes it may stand for, and those about the deliveries it may stand for (R98). */
function isFoundBy(search: string | undefined, { ID, DeliveryID, issue }: DisputeRow): boolean {
  const end = search && idEndOf(search)
  if (end) return ID.endsWith(end) || DeliveryID.endsWith(end)
  return matchesSearch(search, [issue, DeliveryID, ID])
}

export const activitiesOver = ({ activities }: ServerDb): Activities => ({
  async add(activity) {
    await activities.add(activity)
  },
  async sweep(before) {
    await activities.filter(({ CreatedAt }) => CreatedAt < before).delete()
  },
  list: (limit) => activities.reverse().limit(limit).toArray(),
})

const auditSortings: Sortings<AuditEntry> = {
  At: ({ At }) => At,
  Actor: ({ Actor }) => Actor.toLowerCase(),
  Action: ({ Action }) => Action.toLowerCase(),
}

export const auditOver = ({ audit, users }: ServerDb): Audit => ({
  async add(entry) {
    await audit.add(entry)
  },
  has: async (action, subject) =>
    (await audit.filter((each) => each.Action === action && each.Subject === subject).count()) > 0,
  async list(page) {
    const people = (await users.toArray()).map((row) => ({ ...row, id: row.ID }))
    const end = idEndOf(page.search ?? '')
    const all = await audit.toArray()
    // Before IDs of accounts become names.
    const found = end
      ? all.filter(({ Subject }) => idsInSubject(Subject).some((id) => id.endsWith(end)))
      : all
    const rows = withPeople(found, people).filter(
      ({ Actor, Action, Subject, Address }) =>
        end || matchesSearch(page.search, [Actor, Action, actionText(Action), Subject, Address]),
    )
    return pageOf(rows, auditSortings, ({ ID }) => ID, { ...page, sort: page.sort ?? '-At' })
  },
})

export function ledgerOver({ transfers }: ServerDb): Ledger {
  async function balance(account: string) {
    const rows = await transfers.where('accounts').equals(account).toArray()
    return rows
      .flatMap(({ entries }) => entries)
      .reduce((all, entry) => (entry.account === account ? all + entry.pesewas : all), 0)
  }
  return {
    async post(transfer) {
      const { kind, entries } = transfer
      const sum = entries.reduce((all, { pesewas }) => all + pesewas, 0)
      if (sum !== 0 || entries.length < 2)
        throw new Error(`Transfer ${transfer.id} does not balance`)
      const isRepeatable = repeatableKinds.some((each) => each === kind)
      const way = isRepeatable ? `${kind} ${transfer.id}` : kind
      const row = { ...transfer, way, accounts: entries.map(({ account }) => account) }
      if (!(await wasAdded(transfers.add(row)))) throw new Refusal('wrong-status')
      for (const { account } of entries)
        if (/^(escrow|promised|owed):/.test(account) && (await balance(account)) < 0)
          throw new Refusal('wrong-status')
    },
    async of(deliveryId) {
      const rows = await transfers
        .where('[deliveryId+way]')
        .between([deliveryId, Dexie.minKey], [deliveryId, Dexie.maxKey])
        .toArray()
      return rows.map(({ way: _, accounts: __, ...transfer }) => transfer)
    },
    balance,
    totals: async () => totalsOf(await transfers.toArray()),
    async totalsByDay(days) {
      const all = await transfers.toArray()
      // Ghana keeps UTC all year: the date of an ISO time is its day.
      const of = (day: string) => all.filter(({ at }) => at.startsWith(day))
      return days.map((day) => ({ day, ...totalsOf(of(day)) }))
    },
  }
}

function totalsOf(transfers: Transfer[]): MoneyTotals {
  const totals = { cameIn: 0, held: 0, owed: 0, paidOut: 0, refunded: 0, fees: 0 }
  for (const { account, pesewas } of transfers.flatMap(({ entries }) => entries)) {
    const isPayer = /^(sender|guest):/.test(account)
    const payers = pesewas > 0 ? 'refunded' : 'cameIn'
    totals[figureOf[account.split(':')[0] ?? ''] ?? payers] += isPayer ? Math.abs(pesewas) : pesewas
  }
  return totals
}

const figureOf: Record<string, keyof MoneyTotals> = {
  escrow: 'held',
  promised: 'held',
  owed: 'owed',
  driver: 'paidOut',
  fees: 'fees',
}

export function settingsOver({ settings }: ServerDb): Settings {
  const get = async (name: string) => (await settings.get(name))?.value
  return {
    get,
    async keep(name, value) {
      const stored = await get(name)
      if (stored === undefined) await settings.add({ name, value })
      return stored ?? value
    },
    async set(name, value) {
      await settings.put({ name, value })
    },
    remove: (name) => settings.delete(name),
  }
}

/** What is found under each of these hashes; no entry where there is nothing. */
export async function foundByHash<T>(
  hashes: string[],
  find: (hash: string) => PromiseLike<T | undefined>,
): Promise<Map<string, T>> {
  const found = new Map<string, T>()
  for (const hash of hashes) {
    const one = await find(hash)
    if (one !== undefined) found.set(hash, one)
  }
  return found
}

export function guestTokensOver({ guestTokens, deliveries }: ServerDb): GuestTokens {
  const hasEnded = async (id: string, before: string) => {
    const { status, updatedAt = '' } = (await deliveries.get(id))?.delivery ?? {}
    return (status === 'Approved' || status === 'Cancelled') && updatedAt < before
  }
  async function find(hash: string, endedBefore: string) {
    const id = (await guestTokens.get(hash))?.deliveryId
    return id !== undefined && !(await hasEnded(id, endedBefore)) ? id : undefined
  }
  return {
    async add(hash, deliveryId) {
      await guestTokens.add({ hash, deliveryId })
    },
    find,
    findMany: (hashes, endedBefore) => foundByHash(hashes, (hash) => find(hash, endedBefore)),
    async endAllOf(id) {
      await guestTokens.filter(({ deliveryId }) => deliveryId === id).delete()
    },
    async sweep(endedBefore) {
      for (const { hash, deliveryId } of await guestTokens.toArray())
        if (await hasEnded(deliveryId, endedBefore)) await guestTokens.delete(hash)
    },
  }
}
