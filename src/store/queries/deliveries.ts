import type { PromiseExtended } from 'dexie'
import { isOnlyDelivery } from '#domain/deliveries/delivery.ts'
import { isGuestRecordValid } from '#domain/deliveries/guest.ts'
import { getState } from '#sync/database/device/state.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { hiddenGuests } from '../account/hidden-guests.ts'
import { isCurrentRow, isReadableGuest } from '../deliveries/row-schema.ts'
import type { DeliveryRow, Session } from '../rows.ts'
import { accountOf, currentAccount, currentSession, zip } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { guestRecord } from './queries.ts'

/* What the screens of one delivery read: the first page does without. */

/** One delivery for its screen: the account's own row, else the guest's. */
export const deliveryRow = async (
  db: SomaDb,
  id: string,
  now = Date.now(),
): Promise<DeliveryRow | null> => (await deliveryRowAndSession(db, id, now)).row

/**
 * As `deliveryRow`, with who is logged in. `toCarry`: for the driver who asks for it.
 * What a guest asked for on a driver's phone is on offer to that driver too, and the guest's until then.
 */
export async function deliveryRowAndSession(
  db: SomaDb,
  id: string,
  now = Date.now(),
  toCarry = false,
): Promise<{ row: DeliveryRow | null; session: Session | undefined }> {
  const session = await currentSession(db)
  const found = await rowOf(db, accountOf(session), id)
  const own = found && found.account !== guestAccount && isCurrentRow(found) ? found : null
  if (own && (toCarry || !own.openAt || own.marks.length > 0)) return { row: own, session }
  const row = session ? await rowOf(db, guestAccount, id) : found
  const isOpen = row && isCurrentRow(row) && (await isOpenToGuest(db, row, now))
  return { row: isOpen ? row : own, session }
}

const rowOf = (db: SomaDb, account: string, id: string): PromiseExtended<DeliveryRow | undefined> =>
  zip(db.aliases.get([account, id]), db.deliveries.get([account, id])).then(([alias, row]) =>
    alias ? db.deliveries.get([account, alias.server]) : row,
  )

/** A guest needs a valid record (R58), except for what is unsent on this phone; nobody sees that of somebody's login. */
async function isOpenToGuest(db: SomaDb, row: DeliveryRow, now: number): Promise<boolean> {
  if ((await hiddenGuests(db)).has(row.ID)) return false
  if (!row.known || row.marks.length > 0) return true
  const record = await db.guests.get(row.ID)
  return record !== undefined && isReadableGuest(record) && isGuestRecordValid(record, now)
}

/**
 * The active delivery of this sender, who cannot create another meanwhile (R30); none once its end is
 * queued: the next request waits for that.
 */
export const activeSent = async (db: SomaDb, account?: string): Promise<DeliveryRow | null> =>
  (await active(db, 'delivery', account)).find(({ view }) => isOnlyDelivery(view)) ?? null

/**
 * Entries that end an active delivery of this sender, not confirmed yet: another request comes after them. Not the
 * request itself, which may be withdrawn (S56).
 */
export const unconfirmedEnds = async (db: SomaDb): Promise<string[]> =>
  (await active(db, 'delivery'))
    .filter(({ view }) => !isOnlyDelivery(view))
    .flatMap(({ marks }) => marks.filter((mark) => isUnsent(mark) && mark.op !== 'createDelivery'))
    .map(({ entry }) => entry)

/**
 * The job that keeps this driver from accepting another (R29): one being requested included, and one whose
 * end the server has not confirmed.
 */
export const activeJob = async (db: SomaDb, account?: string): Promise<DeliveryRow | null> =>
  (await active(db, 'job', account))[0] ?? null

/** Why the delivery screen has no row to show to this person (R53, R58). */
export async function deniedAs(
  db: SomaDb,
  id: string,
): Promise<'session-expired' | 'access-denied' | 'not-found' | null> {
  const { row, session } = await deliveryRowAndSession(db, id)
  if (row) return null
  if ((await hiddenGuests(db)).has(id)) return 'access-denied'
  if (!session) return (await guestRecord(db)) ? 'access-denied' : 'session-expired'
  return (await getState(db, `gone:${session.account}:${id}`)) ? 'not-found' : null
}

async function active(
  db: SomaDb,
  as: 'job' | 'delivery',
  account?: string,
): Promise<DeliveryRow[]> {
  const key = [account ?? (await currentAccount(db)), as]
  return (await db.deliveries.where('[account+active]').equals(key).toArray()).filter(isCurrentRow)
}
