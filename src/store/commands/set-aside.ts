import * as z from 'zod/mini'
import { SendDraft } from '#domain/deliveries/draft.ts'
import { GuestRecord } from '#domain/deliveries/guest.ts'
import { Refusal } from '#domain/errors.ts'
import { currentAccount } from '../account/account.ts'
import { guestAccount, type Quarantined } from '../database/engine-db.ts'
import { type Entry, operations } from '../deliveries/operations.ts'
import { projectLanes } from '../deliveries/projection.ts'
import { whyUnreadable } from '../outbox/upgrades.ts'
import type { Draft } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

const StoredDraft = z.object({ account: z.string(), kind: z.literal('send'), value: SendDraft })

/**
 * Puts a row that was set aside back where it was found, once this version can read it (S58). What the
 * server has comes from there. Throws `invalid` where it still cannot be read, `not-found` where it is gone.
 */
export async function restoreSetAside(db: SomaDb, id: number): Promise<void> {
  await db.transaction('rw', db.tables, async () => {
    const row = await db.setAside.get(id)
    if (!row || !(await isTheirs(db, row))) throw new Refusal('not-found')
    await putBack(db, row)
    await db.setAside.delete(id)
  })
}

const isTheirs = async (db: SomaDb, { account }: Quarantined): Promise<boolean> =>
  [undefined, guestAccount, await currentAccount(db)].includes(account)

async function putBack(db: SomaDb, { from, value }: Quarantined): Promise<void> {
  if (from === 'outbox') return restoreEntry(db, value as Entry)
  if (from === 'guests' && GuestRecord.safeParse(value).success)
    return void (await db.guests.put(value as GuestRecord))
  if (from === 'drafts' && StoredDraft.safeParse(value).success)
    return void (await db.drafts.put(value as Draft))
  throw stillUnreadable()
}

/** Under its old request key: should it be there again, nothing is added. */
async function restoreEntry(db: SomaDb, entry: Entry): Promise<void> {
  if (whyUnreadable(entry, operations) !== undefined) throw stillUnreadable()
  if ((await db.outbox.where('id').equals(entry.id).count()) > 0) return
  const isTaken = (await db.outbox.get(entry.seq)) !== undefined
  const { seq: _, ...rest } = entry
  await db.outbox.add(isTaken ? rest : entry)
  await projectLanes(db, [entry])
}

const stillUnreadable = () => new Refusal('invalid', 'This version of the app can’t read it.')
