import type { Commute } from '#domain/users/commute.ts'
import { commutesOf } from '#domain/users/commutes.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { type Entry, unsentOf } from '../../entries/operations.ts'
import type { SomaDb } from '../../soma-db.ts'

/**
 * This driver's commutes with their unsent changes (R166). `waiting`: the newest of these changes. A user that the
 * version before pulled has routes instead.
 */
export const ownCommutes = (
  db: SomaDb,
): Promise<{ commutes: Commute[]; waiting?: Entry<'changeCommutes'> }> =>
  // In one transaction: a change whose entry ends meanwhile is in the row, or still in the queue.
  db.transaction('r', [db.sessions, db.outbox], async () => {
    const session = await db.sessions.get('current')
    const waiting = (await unsentOf(db, session?.account ?? guestAccount, 'changeCommutes')).at(-1)
    const { commutes, notifications } = session?.user ?? {}
    return {
      commutes: waiting?.input.commutes ?? commutes ?? commutesOf(notifications?.routes),
      waiting,
    }
  })
