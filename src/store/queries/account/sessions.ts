import type { SessionInfo } from '#contract/responses.ts'
import { unsentOf } from '../../entries/operations.ts'
import { currentAccount, ofAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'

/** A login of this person; `ending` while signing it out waits on this device. */
export type OwnSession = SessionInfo & { ending: boolean }

/** Where the person who is logged in is logged in too: this device first, then the last used. */
export async function ownSessions(db: SomaDb, account?: string): Promise<OwnSession[]> {
  const owner = account ?? (await currentAccount(db))
  const rows = await ofAccount(db.ownSessions, 'id', owner).toArray()
  const waiting = await unsentOf(db, owner, 'endSession')
  const ending = new Set(waiting.map(({ input }) => input.id))
  return rows
    .map((row) => ({ ...row, ending: ending.has(row.id) }))
    .sort((a, b) => Number(b.current) - Number(a.current) || b.usedAt.localeCompare(a.usedAt))
}
