import { guestAccount, type Session, type SomaDb } from '#store/db.ts'
import { resolveId } from '#store/device.ts'
import type { Entry } from '#store/entry.ts'

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
export const papersFor = (
  db: SomaDb,
  entries: readonly Entry[],
  session: Session | undefined,
  urls: Papers['urls'],
): Promise<Papers[]> =>
  Promise.all(
    entries.map(async (entry): Promise<Papers> => {
      const { account, input, lane } = entry
      const own = session?.account === account ? session.token : undefined
      // A request for a delivery needs no proof of a guest, and has an ID nothing has taken the place of.
      if (!('id' in input)) return { id: lane, token: own, urls }
      const id = await resolveId(db, account, input.id)
      if (account !== guestAccount) return { id, token: own, urls }
      const record = await db.guests.get(id)
      return { id, token: record?.guestToken, guestPhone: record?.senderPhone, urls }
    }),
  )
