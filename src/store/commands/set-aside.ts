import * as z from 'zod/mini'
import { SendDraft } from '#domain/deliveries/draft.ts'
import { GuestRecord } from '#domain/deliveries/guest.ts'
import { Refusal } from '#domain/errors.ts'
import { guestAccount, type Quarantined } from '#sync/database/engine-db.ts'
import { whyUnreadable } from '#sync/outbox/upgrades.ts'
import { projectLanes } from '../deliveries/projection.ts'
import { type Entry, operations } from '../entries/operations.ts'
import type { Draft } from '../rows.ts'
import { currentAccount } from '../session.ts'
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

/** Why a row that was set aside cannot go back now, in words for people; nothing where it can (S58). */
export function whyNotRestorable({ from, value }: Pick<Quarantined, 'from' | 'value'>) {
  // A file that a version before imported may name anything.
  const isReadable = Object.hasOwn(readable, from) && readable[from]
  if (!isReadable) return 'It comes from the server again by itself.'
  return isReadable(value) ? undefined : 'This version of the app can’t read it. A newer one may.'
}

/** What exists on this phone alone, by its table. */
const readable: Record<string, (value: unknown) => boolean> = {
  outbox: (value) => whyUnreadable(value as Entry, operations) === undefined,
  guests: (value) => GuestRecord.safeParse(value).success,
  drafts: (value) => StoredDraft.safeParse(value).success,
}

async function putBack(db: SomaDb, row: Quarantined): Promise<void> {
  const why = whyNotRestorable(row)
  if (why !== undefined) throw new Refusal('invalid', why)
  if (row.from === 'outbox') await restoreEntry(db, row.value as Entry)
  else if (row.from === 'guests') await db.guests.put(row.value as GuestRecord)
  else await db.drafts.put(row.value as Draft)
}

/** Under its old request key: should it be there again, nothing is added. */
async function restoreEntry(db: SomaDb, entry: Entry): Promise<void> {
  if ((await db.outbox.where('id').equals(entry.id).count()) > 0) return
  const isTaken = (await db.outbox.get(entry.seq)) !== undefined
  const { seq: _, ...rest } = entry
  await db.outbox.add(isTaken ? rest : entry)
  await projectLanes(db, [entry])
}
