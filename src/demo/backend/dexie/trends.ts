import type { Stats, Trends, Work } from '#contract/responses.ts'
import {
  byStatus,
  type Delivery,
  isActiveJob,
  isOnOffer,
  type Status,
} from '#domain/deliveries/delivery.ts'
import { isUnpaid } from '#domain/deliveries/payment.ts'
import { toCedis, toPesewas } from '#domain/money.ts'
import { lastLicenceDay, shownWork, type WorkKind, workBefore } from '#domain/office/work-kinds.ts'
import type { ServerDb } from './database.ts'

export async function statsOver({
  users,
  deliveries,
  applications,
  disputes,
}: ServerDb): Promise<Stats> {
  const all = (await deliveries.toArray()).map(({ delivery }) => delivery)
  const waiting = await applications.filter(({ status }) => status === 'pending').count()
  return {
    totalUsers: await users.count(),
    totalDeliveries: all.length,
    totalRevenue: totalOf(all.filter(({ status }) => status === 'Approved')),
    totalTips: totalOf(all, ({ tip = 0 }) => tip) || undefined,
    pendingDeliveries: all.filter((each) => each.status === 'Pending' && !isUnpaid(each)).length,
    pendingDrivers: waiting,
    openDisputes: await disputes.filter(({ status }) => status === 'open').count(),
    waiting: waitingByZone(all),
  }
}

/** The office's work list (R187), over Dexie. */
export async function workOver(
  { users, deliveries, applications, disputes, payments }: ServerDb,
  at: string,
): Promise<Work[]> {
  const [all, people, failed, open, pending] = await Promise.all([
    deliveries.toArray().then((rows) => rows.map(({ delivery }) => delivery)),
    users.toArray().then((rows) => new Map(rows.map((row) => [row.ID, row]))),
    payments
      .filter(({ kind, status }) => kind !== 'charge' && /^(failed|reversed)$/.test(status))
      .toArray(),
    disputes.filter(({ status }) => status === 'open').toArray(),
    applications.filter(({ status }) => status === 'pending').toArray(),
  ])
  const nameOf = (id = '') => people.get(id)?.name ?? ''
  const waiting: Record<WorkKind, Work['oldest']> = {
    payments: failed.map(({ id, driverId, updatedAt }) => ({
      ID: id,
      name: nameOf(driverId),
      since: updatedAt,
    })),
    offers: all
      .filter((each) => isOnOffer(each) && each.createdAt <= workBefore('offers', at))
      .map((each) => waitingSince(each, each.createdAt)),
    jobs: all
      .filter((each) => isActiveJob(each) && !each.returning)
      .map((each) => waitingSince(each, lastStep(each)))
      .filter(({ since }) => since <= workBefore('jobs', at)),
    returns: all.flatMap((each) =>
      each.status === 'Picked Up' && each.returning ? waitingSince(each, each.returning.at) : [],
    ),
    disputes: open.map(({ ID, issue = '', CreatedAt = '' }) => ({
      ID,
      name: issue,
      since: CreatedAt,
    })),
    applications: pending.map(({ userId, createdAt }) => ({
      ID: userId,
      name: nameOf(userId),
      since: createdAt,
    })),
    licences: [...people.values()].flatMap(({ ID, name, driverStatus, licence }) =>
      driverStatus === 'approved' && licence && licence.expires <= lastLicenceDay(at)
        ? { ID, name, since: `${licence.expires}T00:00:00.000Z` }
        : [],
    ),
  }
  return Object.entries(waiting).flatMap(([kind, rows]) => {
    const oldest = rows.sort((a, b) => (a.since < b.since ? -1 : 1)).slice(0, shownWork)
    return rows.length > 0 ? { kind, count: rows.length, oldest } : []
  })
}

const waitingSince = ({ ID, itemDescription }: Delivery, since: string) => ({
  ID,
  name: itemDescription,
  since,
})

/** When the delivery last came into the status that it has. */
const lastStep = ({ history = [], status, createdAt }: Delivery): string =>
  history.findLast((step) => step.status === status)?.at ?? createdAt

function waitingByZone(all: Delivery[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { pickupZone } of all.filter(isOnOffer))
    counts.set(pickupZone, (counts.get(pickupZone) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** Counts for the last `count` days up to `at`. Ghana keeps UTC all year: the date of an ISO time is its day. */
export async function trendsOver(
  { deliveries, transfers }: ServerDb,
  count: number,
  at: string,
): Promise<Trends> {
  const all = (await deliveries.toArray()).map(({ delivery }) => delivery)
  const releases = await transfers.filter(({ kind }) => kind === 'release').toArray()
  const released = new Map(releases.map((each) => [each.deliveryId, dayOf(each.at)]))
  const durations = all.flatMap((delivery) => {
    const end = deliveredAt(delivery)
    return end ? { day: dayOf(end), minutes: minutesBetween(delivery.createdAt, end) } : []
  })
  const days = Array.from({ length: count }, (_, n) => daysBefore(at, count - 1 - n))
  return {
    days: days.map((day) => {
      const created = all.filter(({ createdAt }) => dayOf(createdAt) === day)
      const minutes = durations.filter((each) => each.day === day).map(({ minutes }) => minutes)
      const inStatus = (status: Status) => created.filter((each) => each.status === status).length
      return {
        day,
        statuses: byStatus(inStatus),
        revenue: totalOf(all.filter(({ ID }) => released.get(ID) === day)),
        delivered: minutes.length,
        ...(minutes.length > 0 ? { minutes: Math.round(median(minutes)) } : {}),
      }
    }),
  }
}

/** Cedis; summed in pesewas, so no rounding error adds up. */
const totalOf = (
  deliveries: Delivery[],
  amountOf: (delivery: Delivery) => number = ({ offer }) => offer,
): number => toCedis(deliveries.reduce((sum, each) => sum + toPesewas(amountOf(each)), 0))

const dayOf = (time: string) => time.slice(0, 10)

const daysBefore = (at: string, days: number) =>
  dayOf(new Date(Date.parse(at) - days * 24 * 60 * 60_000).toISOString())

const minutesBetween = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / 60_000)

const deliveredAt = ({ status, history }: Delivery): string | undefined =>
  status === 'Delivered' || status === 'Approved'
    ? history?.find((step) => step.status === 'Delivered')?.at
    : undefined

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const [low, high] = [Math.floor, Math.ceil].map((round) => sorted[round((sorted.length - 1) / 2)])
  return ((low ?? 0) + (high ?? 0)) / 2
}
