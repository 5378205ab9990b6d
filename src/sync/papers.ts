import { resolveId } from '#store/account/account.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import type { Session } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'

/**
 * What leaves with an entry beside its input, as it stood in the transaction that leased it: another
 * person who logs in meanwhile never lends it their token.
 */
export type Papers = {
  /** The person's own token, or the guest token of the delivery the entry is about. */
  token?: string
  /** What the server calls the delivery, or whatever else the entry is about. */
  id: string
  /** The guest's own phone, which proves them together with their token. */
  guestPhone?: string
  /** Where photos are that the provider has, as far as this drain knows. */
  urls: Map<string, string>
}

/** Inside the caller's transaction; one for each entry, in their order. */
export async function papersFor(
  db: SomaDb,
  entries: readonly Entry[],
  session: Session | undefined,
  urls: Papers['urls'],
): Promise<Papers[]> {
  const papers: Papers[] = []
  for (const { account, input, lane } of entries) {
    const token = session?.account === account ? session.token : undefined
    // A request for a delivery needs no proof of a guest, and has an ID nothing has taken the place of.
    const id = 'id' in input ? await resolveId(db, account, input.id) : lane
    const guest = 'id' in input && account === guestAccount ? await db.guests.get(id) : undefined
    const proof = guest && { token: guest.guestToken, guestPhone: guest.senderPhone }
    papers.push({ id, token, urls, ...proof })
  }
  return papers
}
