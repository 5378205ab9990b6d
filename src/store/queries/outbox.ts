import { guestAccount } from '../database/engine-db.ts'
import type { SomaDb } from '../soma-db.ts'

/* What the outbox screen alone reads: the first page does without. */

/** How much waits here for somebody who has logged out; said to nobody but who is logged out too. */
export async function keptForOthers(db: SomaDb): Promise<number> {
  if (await db.sessions.get('current')) return 0
  const unsent = await db.outbox.where('state').anyOf('waiting', 'sending', 'retrying', 'parked')
  return unsent.filter(({ account }) => account !== guestAccount).count()
}

/** How far the photos are that go up just now, by their IDs: a share from 0 to 1. */
export async function uploads(db: SomaDb): Promise<Record<string, number>> {
  const begin = 'upload:'
  const found = await db.meta.where('key').startsWith(begin).toArray()
  return Object.fromEntries(
    found.map(({ key, value }) => [key.slice(begin.length), value as number]),
  )
}
