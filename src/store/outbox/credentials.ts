import { resolveId } from '../account/aliases.ts'
import { type EngineDb, guestAccount, type Session } from '../database/engine-db.ts'
import type { OutboxEntry } from './entry.ts'
import type { GuestProof, OutboxProduct } from './product.ts'

/**
 * What leaves with an entry beside its input, as it stood in the transaction that leased it: another
 * person who logs in meanwhile never lends it their token (S8).
 */
export type Credentials = GuestProof & {
  /** What the server calls the row, or whatever else the entry is about. */
  id: string
}

/** One for each entry, in their order; inside the caller's transaction. */
export async function credentialsFor(
  db: EngineDb,
  product: OutboxProduct,
  entries: readonly OutboxEntry[],
  session: Session | undefined,
): Promise<Credentials[]> {
  const all: Credentials[] = []
  for (const entry of entries) {
    const { account, lane } = entry
    const token = session?.account === account ? session.token : undefined
    // One that makes something new has an ID that nothing has taken the place of.
    const subject = product.subjectOf(entry)
    const id = subject === undefined ? lane : await resolveId(db, account, subject)
    const isOfGuest = subject !== undefined && account === guestAccount
    const proof = isOfGuest ? await product.guestProof(db, id) : undefined
    all.push({ id, token, ...proof })
  }
  return all
}
