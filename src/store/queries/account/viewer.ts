import { getState } from '#sync/database/device/state.ts'
import { updateRequired } from '#sync/database/device/update.ts'
import type { Offered } from '../../deliveries/offered-route.ts'
import type { Session } from '../../rows.ts'
import { currentAccount, currentSession } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'

/**
 * Who is logged in, and whether the server takes only newer builds of the app (S48): what the shell needs before it draws
 * anything.
 */
export const viewer = (db: SomaDb): Promise<{ session: Session | null; isTooOld: boolean }> =>
  db.transaction('r', [db.sessions, db.meta], async () => {
    const session = await currentSession(db)
    return { session: session ?? null, isTooOld: await updateRequired(db) }
  })

/** What this driver chose last on this device (S50), `{}` for any job. */
export const rememberedRoute = async (db: SomaDb): Promise<Offered> =>
  (await getState(db, `route:${await currentAccount(db)}`)) ?? {}
