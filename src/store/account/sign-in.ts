import type { User } from '#domain/users/user.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { queueRevocation } from '#sync/logouts/revocations.ts'
import { unsentEntries } from '#sync/outbox/unsent.ts'
import { projectLanes } from '../deliveries/projection.ts'
import { deliveryTables } from '../deliveries/tables.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { forgetAccount, type Unsent } from './forget-account.ts'
import { deleteNotedImages, noteCachedImages } from './image-cache.ts'

/*
 * Who is logged in on this device. Rows belong to an account, so another person on the same phone
 * sees nothing of the first and never sends for them (S8).
 */

/** The device's database, its clock, and what its caches are called before their names. */
export type Device = { db: SomaDb; clock: { now: () => number }; cachePrefix: string }

/**
 * Makes a person the one logged in; what they left unsent on this device is theirs to see again.
 * Somebody else who was logged in is signed out first, and a token that is replaced is revoked.
 */
export async function signIn(device: Device, user: User, token: string): Promise<void> {
  const { db, clock } = device
  const before = await currentSession(db)
  const revoke = before && !before.expired && before.token !== token ? before.token : undefined
  if (before && before.account !== user.ID) await signOut(device, before.account, { revoke })
  else if (revoke !== undefined) await queueRevocation(db, revoke, clock.now())
  const tables = [db.outbox, db.meta, db.drafts, ...deliveryTables(db)]
  await db.transaction('rw', tables, async () => {
    const replaced = before?.account === user.ID ? before.replaced : undefined
    await db.sessions.put({ key: 'current', account: user.ID, token, user, replaced })
    await adoptDraft(db, user.ID)
    await projectLanes(db, await unsentEntries(db, user.ID))
  })
}

/** What a visitor typed before logging in goes on as theirs. */
async function adoptDraft(db: SomaDb, account: string): Promise<void> {
  const typed = await db.drafts.get([guestAccount, 'send'])
  if (!typed || (await db.drafts.get([account, 'send']))) return
  await db.drafts.put({ ...typed, account })
  await db.drafts.delete([guestAccount, 'send'])
}

/**
 * Signs a person out, with everything of theirs but the unsent entries that stay, and the photos the
 * service worker cached (S38). `revoke`: the token that still has to be revoked on the server.
 */
export async function signOut(
  { db, clock, cachePrefix }: Device,
  account: string,
  { unsent = 'keep', revoke }: { unsent?: Unsent; revoke?: string } = {},
): Promise<void> {
  await db.transaction('rw', db.tables, async () => {
    await forgetAccount(db, account, unsent)
    if (revoke !== undefined) await queueRevocation(db, revoke, clock.now())
    await noteCachedImages(db)
  })
  await deleteNotedImages(db, cachePrefix)
}
