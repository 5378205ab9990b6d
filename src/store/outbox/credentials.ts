import { type EngineDb, guestAccount, type Session } from '../database/engine-db.ts'
import type { OutboxEntry } from '../database/entry.ts'
import { getMany } from '../database/get-many.ts'
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
  // One that makes something new has an ID that nothing has taken the place of.
  const subjects = entries.map((entry) => product.subjectOf(entry))
  const aliases = await getMany(
    db.aliases,
    entries.map(({ account }, at): [string, string] => [account, subjects[at] ?? '']),
  )
  const ids = entries.map(({ lane }, at) => aliases[at]?.server ?? subjects[at] ?? lane)
  const ofGuests = entries.flatMap(({ account }, at) =>
    subjects[at] !== undefined && account === guestAccount ? [ids[at] ?? ''] : [],
  )
  const proofs = ofGuests.length > 0 ? await product.guestProofs(db, ofGuests) : new Map()
  return entries.map(({ account }, at) => {
    const id = ids[at] ?? ''
    const token = session?.account === account ? session.token : undefined
    const isOfGuest = subjects[at] !== undefined && account === guestAccount
    return { id, token, ...(isOfGuest ? proofs.get(id) : undefined) }
  })
}
