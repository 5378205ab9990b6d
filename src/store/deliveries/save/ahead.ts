import type { Delivery } from '#domain/deliveries/delivery.ts'
import { getSubjectState, putSubjectState } from '../../database/device/state.ts'
import { guestAccount } from '../../database/engine-db.ts'
import type { ListRef } from '../../database/lists.ts'
import type { DeliveryRow } from '../../rows.ts'
import type { SomaDb } from '../../soma-db.ts'
import { isAlong, routeOf } from '../offered-route.ts'
import { serverRow } from '../project.ts'

/*
 * What this phone was told beside its lists, by replies and events, and no list has said yet (S53).
 */

/** More than any list misses between two answers; those before are no longer looked after. */
const mostTaken = 500

/** What changed in a list since its last answer; nothing of it where the list is unchanged. */
type Delta = { deliveries?: readonly Delivery[]; removed?: readonly string[] }

/**
 * Whether a delta leaves out what this phone was told before it was asked for: a row of the list that a
 * reply or an event brought or took, and that no list has named since. The server was then restored to a
 * moment after the list's cursor, and the list must be asked for in full (S53). `askedAt`: milliseconds by
 * the clock that is never set.
 */
export async function leavesOutWhatIsKnown(
  db: SomaDb,
  account: string,
  ref: ListRef,
  askedAt: number,
  delta: Delta,
): Promise<boolean> {
  const ahead = await aheadInList(db, account, ref, askedAt)
  const taken = await takenFrom(db, account, ref, askedAt)
  if (ahead.length + taken.length === 0) return false
  const named = new Map(delta.deliveries?.map(({ ID, updatedAt }) => [ID, updatedAt]))
  const isLeftOut = (id: string) => !named.has(id) && !delta.removed?.includes(id)
  const isOlder = (row: DeliveryRow) =>
    (named.get(row.ID) ?? '\uffff') < (serverRow(row)?.updatedAt ?? '')
  return (
    taken.some(({ id }) => isLeftOut(id)) || ahead.some((row) => isLeftOut(row.ID) || isOlder(row))
  )
}

/** An answer of the list has said what there is of every such row: none is ahead of it any more. */
export async function settleAhead(
  db: SomaDb,
  account: string,
  ref: ListRef,
  askedAt: number,
): Promise<void> {
  const ahead = await aheadInList(db, account, ref, askedAt)
  await db.deliveries.bulkPut(ahead.map((row) => ({ ...row, aheadAt: undefined })))
  const settled = await takenFrom(db, account, ref, askedAt)
  if (settled.length === 0) return
  const ids = settled.map(({ id }) => id)
  const all = (await getSubjectState(db, 'taken', account)) ?? []
  await putSubjectState(
    db,
    'taken',
    account,
    all.filter(({ id }) => !ids.includes(id)),
  )
}

/** An event has taken a job off the phone. In the caller's transaction; `at`: by the clock that is never set. */
export async function noteTaken(db: SomaDb, { account, ID, view }: DeliveryRow, at: number) {
  const { pickupZone, dropoffZone } = view
  const before = (await getSubjectState(db, 'taken', account)) ?? []
  const taken = [...before, { id: ID, pickupZone, dropoffZone, at }].slice(-mostTaken)
  await putSubjectState(db, 'taken', account, taken)
}

async function takenFrom(db: SomaDb, account: string, ref: ListRef, askedAt: number) {
  if (ref.kind !== 'available') return []
  const taken = (await getSubjectState(db, 'taken', account)) ?? []
  const route = routeOf(ref.query ?? '')
  return taken.filter((job) => job.at <= askedAt && isAlong(route, job))
}

const aheadInList = (
  db: SomaDb,
  account: string,
  ref: ListRef,
  askedAt: number,
): PromiseLike<DeliveryRow[]> =>
  db.deliveries
    .where('[account+aheadAt]')
    .between([account, 0], [account, askedAt], true, true)
    .filter((row) => row.known && isIn(ref, row))
    .toArray()

function isIn({ kind, id, query = '' }: ListRef, row: DeliveryRow): boolean {
  // A guest has no lists: each delivery is asked for by itself.
  if (kind === 'delivery') return row.account === guestAccount && row.ID === id
  if (kind === 'sent') return row.sentAt !== undefined
  if (kind === 'jobs') return row.jobAt !== undefined
  if (kind !== 'available' || row.openAt === undefined) return false
  return isAlong(routeOf(query), row.view)
}
