import { getState } from '#sync/database/device/state.ts'
import { updateRequired } from '#sync/database/device/update.ts'
import type { Offered } from '../../deliveries/offered-route.ts'
import type { Session } from '../../rows.ts'
import { accountOf, currentSession } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'

/**
 * Who is logged in, the route this driver chose last on this device (S50), `{}` for any, and whether the server takes
 * only newer builds of the app (S48): what the shell needs before it draws anything.
 */
export const viewer = (
  db: SomaDb,
): Promise<{ session: Session | null; route: Offered; isTooOld: boolean }> =>
  db.transaction('r', [db.sessions, db.meta], async () => {
    const session = await currentSession(db)
    const route = await getState(db, `route:${accountOf(session)}`)
    return { session: session ?? null, route: route ?? {}, isTooOld: await updateRequired(db) }
  })

/** The route alone. */
export const rememberedRoute = async (db: SomaDb): Promise<Offered> => (await viewer(db)).route
