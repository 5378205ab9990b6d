import { type GuestRecord, guestRecordEnd, isGuestRecordValid } from '#domain/deliveries/guest.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { hasAny } from '#sync/database/has-any.ts'
import { hiddenGuests } from '../account/hidden-guests.ts'
import { wasCreateRefused } from '../deliveries/project.ts'
import { isCurrentRow, isReadableGuest } from '../deliveries/row-schema.ts'
import type { DeliveryRow } from '../rows.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'

/**
 * A delivery that is under way for somebody on this phone. `as`: what they are to it. `trackedUntil`:
 * milliseconds since 1970, of a guest's (R58).
 */
export type DeliveryUnderWay = {
  id: string
  /** Missing where the phone holds only a guest's record of it. */
  row?: DeliveryRow
  as: 'sender' | 'driver'
  guest?: { name: string; trackedUntil: number }
}

/** Handed-over jobs shown, of those that wait for approval. */
const unpaidShown = 3
/** Guest deliveries shown, and this person's own: they have one at a time, as a rule (R29, R30). */
const mostShown = 20

/**
 * Everything under way for this person and for the guests of this phone: the job in hand first, then what
 * they sent, then handed-over jobs that wait for the sender's approval. `now`: milliseconds since 1970.
 */
export const deliveriesUnderWay = (db: SomaDb, now = Date.now()): Promise<DeliveryUnderWay[]> =>
  db.transaction('r', [db.sessions, db.deliveries, db.outbox, db.guests], async () => {
    const session = await currentSession(db)
    const own = session ? await ownDeliveries(db, session.account) : []
    return [...own, ...(await guestDeliveries(db, now))].sort((a, b) => rank(a) - rank(b))
  })

/** A job in hand, then what waits for this person to confirm, then the rest; at last what waits for others' money. */
function rank({ row, as }: DeliveryUnderWay): number {
  if (as === 'driver') return row?.active === 'unpaid' ? 3 : 0
  return row?.view.status === 'Delivered' || row?.view.returning ? 1 : 2
}

async function ownDeliveries(db: SomaDb, account: string): Promise<DeliveryUnderWay[]> {
  const activeAs = (active: NonNullable<DeliveryRow['active']>) =>
    db.deliveries.where('[account+active]').equals([account, active])
  const own = [
    ...(await activeAs('job').limit(mostShown).toArray()),
    ...(await activeAs('delivery').limit(mostShown).toArray()),
    // The newest: their IDs begin with their time.
    ...(await activeAs('unpaid').reverse().limit(unpaidShown).toArray()),
  ]
    .filter(isCurrentRow)
    .map((row) => ofRow(row, row.active === 'delivery' ? 'sender' : 'driver'))
  const refused = await refusedRequests(db, account)
  return [...own, ...refused.map((row) => ofRow(row, 'sender'))]
}

const ofRow = (row: DeliveryRow, as: DeliveryUnderWay['as']): DeliveryUnderWay => ({
  id: row.ID,
  row,
  as,
})

/** Requests that the server would not have: the person mends or discards them. */
async function refusedRequests(db: SomaDb, account: string): Promise<DeliveryRow[]> {
  const refused = await db.outbox.where('[account+state]').equals([account, 'refused']).toArray()
  const creates = refused.filter(({ op }) => op === 'createDelivery')
  const rows = await db.deliveries.bulkGet(
    creates.map(({ lane }): [string, string] => [account, lane]),
  )
  return rows
    .filter((row) => row !== undefined)
    .filter((row) => isCurrentRow(row) && wasCreateRefused(row))
}

async function guestDeliveries(db: SomaDb, now: number): Promise<DeliveryUnderWay[]> {
  if (!(await hasAny(db.guests))) return []
  const hidden = await hiddenGuests(db)
  const records = (await db.guests.toArray())
    .filter((record) => isReadableGuest(record) && isGuestRecordValid(record, now))
    .filter(({ id }) => !hidden.has(id))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, mostShown)
  const rows = await db.deliveries.bulkGet(
    records.map(({ id }): [string, string] => [guestAccount, id]),
  )
  return records
    .map((record, at) => guestDelivery(record, rows[at]))
    .filter(({ row }) => !row || !isPaid(row))
}

/** IDs of guests' deliveries whose approval on this phone has arrived, with all that was said with it: their records go (R58). */
export const approvedByGuest = (db: SomaDb): Promise<string[]> =>
  db.transaction('r', [db.deliveries, db.guests], async () => {
    const records = (await db.guests.toArray()).filter(
      (record) => isReadableGuest(record) && record.isApproved && !record.isSignedOff,
    )
    const rows = await db.deliveries.bulkGet(
      records.map(({ id }): [string, string] => [guestAccount, id]),
    )
    return rows.flatMap((row) => (row && isCurrentRow(row) && isPaid(row) ? [row.ID] : []))
  })

/** Nothing is left to do, or to be sent, about it: its record still shows its room (R58). */
const isPaid = ({ view, marks }: DeliveryRow): boolean =>
  view.status === 'Approved' && marks.length === 0

function guestDelivery(record: GuestRecord, row: DeliveryRow | undefined): DeliveryUnderWay {
  const guest = { name: record.senderName, trackedUntil: guestRecordEnd(record) }
  return { id: record.id, row: row && isCurrentRow(row) ? row : undefined, as: 'sender', guest }
}
