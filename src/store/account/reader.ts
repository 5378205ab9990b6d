import { guestAccount } from '#sync/database/engine-db.ts'
import { resolveId } from '#sync/outbox/credentials.ts'
import type { Session } from '../rows.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'

/** Under whose name something is read, and what proves it to the server. */
export type Reader = { account: string; question: { id?: string; token?: string } }

/**
 * Who reads a list, or one delivery (`id`): the guest who made it where there is one, else whoever is
 * logged in; nobody when neither may.
 */
export async function credentialsOfReader(
  db: SomaDb,
  id: string | undefined,
): Promise<Reader | undefined> {
  const session = await currentSession(db)
  if (id === undefined) return session && asPerson(session)
  const guestId = await resolveId(db, guestAccount, id)
  const record = await db.guests.get(guestId)
  if (record)
    return record.guestToken
      ? { account: guestAccount, question: { id: guestId, token: record.guestToken } }
      : undefined
  if (!session) return undefined
  return asPerson(session, await resolveId(db, session.account, id))
}

const asPerson = ({ account, token, expired }: Session, id?: string): Reader | undefined =>
  expired ? undefined : { account, question: id === undefined ? { token } : { id, token } }
