import type { Dispute } from '#domain/deliveries/dispute.ts'
import type { DriverApplication } from '#domain/users/driver.ts'
import type { User } from '#domain/users/user.ts'
import type { DeliveryRow, Photo } from '../../rows.ts'
import type { SomaDb } from '../../soma-db.ts'
import { serverRow } from '../row-schema.ts'

/* What requests read and write outside of the sender's transactions. */

/** A photo with its bytes; nothing when this device does not hold it. */
export const storedPhoto = (db: SomaDb, id: string): Promise<Photo | undefined> => db.photos.get(id)

/** A photo of an earlier release, drawn anew by this app. */
export async function saveRedrawnPhoto(
  db: SomaDb,
  id: string,
  drawn: Pick<Photo, 'bytes' | 'type'>,
): Promise<void> {
  await db.photos.update(id, { ...drawn, redrawn: true })
}

/** The status in the server's last version; for a delivery it does not know, the status on the screen. */
export async function deliveryStatus(db: SomaDb, account: string, id: string) {
  const row = await db.deliveries.get([account, id])
  return row && (serverRow(row) ?? row.view).status
}

/** Before the entry ends: else the device would look signed in until the next pull. */
export async function removeOwnSession(db: SomaDb, account: string, id: string): Promise<void> {
  await db.ownSessions.delete([account, id])
}

/** Before the entry ends: else the driver would look undecided until the next pull. */
export async function saveDriverDecision(
  db: SomaDb,
  account: string,
  id: string,
  { Status, licence, licencePending }: DriverApplication,
): Promise<void> {
  await db.drivers.update([account, id], { Status, licence, licencePending })
}

/** Before the entry ends: else the person would look unchanged until the next pull. */
export async function saveOwnChange(
  db: SomaDb,
  account: string,
  change: Pick<User, 'notifications' | 'photo' | 'licence' | 'licencePending'>,
): Promise<void> {
  await db.transaction('rw', db.sessions, async () => {
    const session = await db.sessions.get('current')
    if (session?.account !== account) return
    await db.sessions.update('current', { user: { ...session.user, ...change } })
  })
}

/** Stores a dispute as the server returned it. */
export async function saveDispute(
  db: SomaDb,
  account: string,
  id: string,
  dispute: Dispute,
): Promise<void> {
  await db.disputes.update([account, id], dispute)
}

/** The row of a delivery; nothing when this account has none. */
export const storedDelivery = (
  db: SomaDb,
  account: string,
  id: string,
): Promise<DeliveryRow | undefined> => db.deliveries.get([account, id])
