import type { ListRef } from '../../database/lists.ts'
import type { SomaDb } from '../../soma-db.ts'
import type { Entry } from '../operations.ts'

/** Deliveries that the server is asked for because something about them is being taken back (S56). */
export async function takenBackLists(db: SomaDb, accounts: readonly string[]): Promise<ListRef[]> {
  const entries = await takenBack(db)
  const lanes = entries.filter(({ account }) => accounts.includes(account)).map(({ lane }) => lane)
  return [...new Set(lanes)].map((id) => ({ kind: 'delivery', id }))
}

/** Whether something about this delivery is being taken back. */
export const isBeingTakenBack = async (db: SomaDb, account: string, id: string): Promise<boolean> =>
  (await takenBack(db)).some((entry) => entry.account === account && entry.lane === id)

/** Entries that are being taken back: not sent any more, and not settled. */
export const takenBack = (db: SomaDb): Promise<Entry[]> =>
  db.outbox
    .where('state')
    .equals('parked')
    .filter((entry) => entry.takingBack === true)
    .toArray()
