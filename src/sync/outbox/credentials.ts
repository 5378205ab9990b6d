import { type EngineDb, guestAccount, type Session } from '../database/engine-db.ts'
import type { OutboxEntry } from '../database/entry.ts'
import { getMany } from '../database/get-many.ts'
import type { Credentials, OutboxModel } from '../model.ts'

/** One for each entry, in their order; inside the caller's transaction. */
export async function credentialsFor(
  db: EngineDb,
  model: OutboxModel,
  entries: readonly OutboxEntry[],
  session: Session | undefined,
): Promise<Credentials[]> {
  // One that makes something new has an ID that nothing has taken the place of.
  const subjects = entries.map((entry) => model.subjectOf(entry))
  const aliases = await getMany(
    db.aliases,
    entries.map(({ account }, at): [string, string] => [account, subjects[at] ?? '']),
  )
  const ids = entries.map(({ lane }, at) => aliases[at]?.server ?? subjects[at] ?? lane)
  const ofGuests = entries.flatMap(({ account }, at) =>
    subjects[at] !== undefined && account === guestAccount ? [ids[at] ?? ''] : [],
  )
  const proofs = ofGuests.length > 0 ? await model.guestProofs(db, ofGuests) : new Map()
  return entries.map(({ account }, at) => {
    const id = ids[at] ?? ''
    const token = session?.account === account ? session.token : undefined
    const isOfGuest = subjects[at] !== undefined && account === guestAccount
    return { id, token, ...(isOfGuest ? proofs.get(id) : undefined) }
  })
}

/** The ID a row goes by now: a backend that hands out its own left an alias (S19). */
export async function resolveId(db: EngineDb, account: string, id: string): Promise<string> {
  const alias = await db.aliases.get([account, id])
  return alias ? alias.server : id
}
