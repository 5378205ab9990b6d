import { markExpired } from '#sync/database/device/expired-session.ts'
import { hasAny } from '#sync/database/has-any.ts'
import { countUnsent } from '#sync/outbox/unsent.ts'
import { currentSession, ofAccount } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { forgetExpired } from './forget-account.ts'
import { deleteNotedImages, noteCachedImages } from './image-cache.ts'
import { type Device, signOut } from './sign-in.ts'

/**
 * The server no longer takes the token. With something unsent the session stays, marked, so that
 * the person is asked to log in to send it; otherwise they are signed out (S14). Either way nothing but
 * what is unsent stays on the phone (S59). Nothing happens to a login that has followed since: its token is
 * another.
 */
export async function expireSession(
  device: Device,
  account: string,
  token: string | undefined,
): Promise<void> {
  const { db } = device
  const signsOut = await db.transaction('rw', [db.sessions, db.outbox], async () => {
    const session = await currentSession(db)
    if (session?.account !== account || session.token !== token) return false
    if ((await countUnsent(db, account)) === 0) return true
    await markExpired(db, account, token)
    return false
  })
  if (signsOut) await signOut(device, account)
  else await forgetRest(device, account)
}

/** Whether a login that has expired left something of the server's, also where the sender alone had noticed. */
export async function hasExpiredRows(db: SomaDb): Promise<boolean> {
  const session = await currentSession(db)
  return session?.expired === true && hasMore(db, session.account)
}

/** Of a login that has expired, deletes what is not unsent. */
export async function forgetAfterExpiry(device: Pick<Device, 'db' | 'cachePrefix'>): Promise<void> {
  const session = await currentSession(device.db)
  if (session) await forgetRest(device, session.account)
}

async function forgetRest(
  { db, cachePrefix }: Pick<Device, 'db' | 'cachePrefix'>,
  account: string,
): Promise<void> {
  await db.transaction('rw', db.tables, async () => {
    const session = await currentSession(db)
    if (session?.account !== account || !session.expired) return
    await forgetExpired(db, account)
    await noteCachedImages(db)
  })
  await deleteNotedImages(db, cachePrefix)
}

/** Whether anything that came from the server is still there: every pull leaves its list's name. */
const hasMore = async (db: SomaDb, account: string): Promise<boolean> => {
  const pulls = ofAccount(db.pulls, 'list', account)
  const rows = ofAccount(db.deliveries, 'ID', account).filter(({ marks }) => marks.length === 0)
  return (await hasAny(pulls)) || hasAny(rows)
}
