import type { User } from '#domain/user.ts'
import { forgetAccount, type Unsent } from '#store/account/forget-account.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import { outboxTables, refoldLanes, unsentKeys } from '#store/outbox/enqueue.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { Tools } from './platform/context.ts'
import { dropImagesLeft, imagesToDrop } from './platform/image-cache.ts'

/*
 * Who is logged in on this device, as the store keeps it. Rows belong to an account, so another
 * person on the same phone sees nothing of the first and never sends for them.
 */

type Place = Pick<Tools, 'db' | 'clock' | 'cachePrefix'>

const tablesOf = (db: SomaDb) => [...outboxTables(db), db.meta, db.drafts]

/**
 * Puts a person in place; what they left unsent on this device is theirs to see again. Somebody else
 * who was there leaves first, and a token that is replaced is revoked.
 */
export async function enter(tools: Place, user: User, token: string): Promise<void> {
  const { db, clock } = tools
  const before = await db.sessions.get('current')
  const revoke = before && !before.expired && before.token !== token ? before.token : undefined
  if (before && before.account !== user.ID) await leave(tools, before.account, { revoke })
  else if (revoke !== undefined) await queueRevocation(db, revoke, clock.now())
  await db.transaction('rw', tablesOf(db), async () => {
    await db.sessions.put({ key: 'current', account: user.ID, token, user })
    await adoptDraft(db, user.ID)
    const unsent = await db.outbox.where('[account+state]').anyOf(unsentKeys(user.ID)).toArray()
    await refoldLanes(db, unsent)
  })
}

/** The server is told that this token is over as soon as it can be (`revoke.ts`). */
export async function queueRevocation(db: SomaDb, token: string, now: number): Promise<void> {
  await db.revocations.add({ token, at: now, attempts: 0, nextAt: 0 })
}

/** What a visitor typed before logging in goes on as theirs. */
async function adoptDraft(db: SomaDb, account: string): Promise<void> {
  const typed = await db.drafts.get([guestAccount, 'send'])
  if (!typed || (await db.drafts.get([account, 'send']))) return
  await db.drafts.put({ ...typed, account })
  await db.drafts.delete([guestAccount, 'send'])
}

/**
 * Takes a person's place away, with everything of theirs but what is unsent and kept, and the photos
 * the service worker met. `revoke`: the token the server has still to be told of.
 */
export async function leave(
  { db, clock, cachePrefix }: Place,
  account: string,
  { unsent = 'keep', revoke }: { unsent?: Unsent; revoke?: string } = {},
): Promise<void> {
  await db.transaction('rw', db.tables, async () => {
    await forgetAccount(db, account, unsent)
    if (revoke !== undefined) await queueRevocation(db, revoke, clock.now())
    await db.meta.put({ key: imagesToDrop, value: true })
  })
  await dropImagesLeft({ db, cachePrefix })
}
