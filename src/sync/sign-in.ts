import type { User } from '#domain/user.ts'
import { guestAccount, type SomaDb } from '#store/db.ts'
import { ended, outboxTables, refoldLanes, unsentKeys } from '#store/outbox.ts'

/*
 * Who is logged in on this device, as the store keeps it. Rows belong to an account, so another
 * person on the same phone sees nothing of the first and never sends for them.
 */

const tablesOf = (db: SomaDb) => [...outboxTables(db), db.meta, db.drafts]

/** Puts a person in place; what they left unsent on this device is theirs to see again. */
export async function enter(db: SomaDb, user: User, token: string): Promise<void> {
  await db.transaction('rw', tablesOf(db), async () => {
    await db.sessions.put({ key: 'current', account: user.ID, token, user })
    await adoptDraft(db, user.ID)
    const unsent = await db.outbox.where('[account+state]').anyOf(unsentKeys(user.ID)).toArray()
    await refoldLanes(db, unsent)
  })
}

/** What a visitor typed before logging in goes on as theirs. */
async function adoptDraft(db: SomaDb, account: string): Promise<void> {
  const typed = await db.drafts.get([guestAccount, 'send'])
  if (!typed || (await db.drafts.get([account, 'send']))) return
  await db.drafts.put({ ...typed, account })
  await db.drafts.delete([guestAccount, 'send'])
}

/** Takes a person's place away, with everything pulled for them that nothing unsent needs. */
export async function leave(
  db: SomaDb,
  account: string,
  unsent: 'keep' | 'discard',
  now: number,
): Promise<void> {
  await db.transaction('rw', db.tables, async () => {
    const entries = await db.outbox.where('[account+state]').anyOf(unsentKeys(account)).toArray()
    if (unsent === 'discard') {
      await db.outbox.bulkPut(entries.map((entry) => ended(entry, 'cancelled', now)))
      await refoldLanes(db, entries)
      await db.drafts.delete([account, 'send'])
    }
    await db.sessions.delete('current')
    await forgetPulled(db, account)
  })
}

async function forgetPulled(db: SomaDb, account: string): Promise<void> {
  const all: [unknown[], unknown[]] = [
    [account, ''],
    [account, '\uffff'],
  ]
  await db.deliveries
    .where('[account+ID]')
    .between(...all)
    .filter((row) => row.marks.length === 0)
    .delete()
  await db.users
    .where('[account+ID]')
    .between(...all)
    .delete()
  await db.drivers
    .where('[account+ID]')
    .between(...all)
    .delete()
  await db.disputes
    .where('[account+ID]')
    .between(...all)
    .delete()
  await db.activities
    .where('[account+ID]')
    .between(...all)
    .delete()
  await db.pulls
    .where('[account+list]')
    .between(...all)
    .delete()
  await db.pages
    .where('[account+at]')
    .between([account, 0], [account, Number.POSITIVE_INFINITY])
    .delete()
  await db.stats.delete(account)
  await db.trends.delete(account)
}
