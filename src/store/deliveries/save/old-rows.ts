import { type Delivery, isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { day } from '#sync/lists/pulls.ts'
import type { DeliveryRow } from '../../rows.ts'
import { ofAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import { serverRow } from '../row-schema.ts'

/** The index an own list of deliveries stands in. */
export type OwnIndex = 'sentAt' | 'jobAt'

const listOf = { sentAt: 'sent', jobAt: 'jobs' } as const

/** An ended delivery leaves the phone after so many milliseconds. */
const endedFor = 90 * day

/** What the oldest of these rows is sorted by; nothing when there are none. */
export const oldestOf = (deliveries: readonly Delivery[]): string | undefined =>
  deliveries.map(({ createdAt }) => createdAt).sort()[0]

/**
 * Ended deliveries of an own list leave the phone after 90 days of the server's time `serverTime`
 * (milliseconds since 1970), unless somebody looked for them within a day of it: by scrolling, or at
 * their address (S50). Resolves to whether any left. Inside the pull's transaction.
 */
export async function dropOld(
  db: SomaDb,
  account: string,
  by: OwnIndex,
  serverTime: number | undefined,
): Promise<boolean> {
  if (serverTime === undefined) return false
  const isRecent = (time: number | undefined) => time !== undefined && serverTime - time < day
  if (isRecent((await db.pulls.get([account, listOf[by]]))?.olderAt)) return false
  const before = new Date(serverTime - endedFor).toISOString()
  const aged = await db.deliveries
    .where(`[account+${by}]`)
    .between([account, ''], [account, before])
    .primaryKeys()
  if (aged.length === 0) return false
  // Of many that are old and under way only the keys are read.
  const underWay = await ofAccount(db.deliveries, 'active', account).primaryKeys()
  const active = new Set(underWay.map(([, id]) => id))
  const rows = await db.deliveries.bulkGet(aged.filter(([, id]) => !active.has(id)))
  const old = rows.flatMap((row) => (row && hasEnded(row, before) ? [row] : []))
  const keys = old.map(({ ID }): [string, string] => [account, `delivery:${ID}`])
  const opened = await db.pulls.bulkGet(keys)
  const leaving = old.flatMap(({ ID }, at) => (isRecent(opened[at]?.serverTime) ? [] : [ID]))
  await forgetRows(db, account, leaving)
  return leaving.length > 0
}

/** Deletes rows that can be asked for again; what is known of their own pulls would say "unchanged". */
export async function forgetRows(db: SomaDb, account: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deliveries.bulkDelete(ids.map((id): [string, string] => [account, id]))
  await db.pulls.bulkDelete(ids.map((id): [string, string] => [account, `delivery:${id}`]))
}

function hasEnded(row: DeliveryRow, before: string): boolean {
  const isEnded = (delivery: Delivery | undefined) =>
    delivery !== undefined && !isActiveDelivery(delivery) && delivery.updatedAt < before
  return row.marks.length === 0 && row.active === undefined && isEnded(serverRow(row))
}
