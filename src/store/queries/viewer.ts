import { withCurrentAccount } from '../account/account.ts'
import { getSubjectState } from '../database/device/state.ts'
import type { OfferedRoute } from '../deliveries/offered-route.ts'
import type { Session } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/** Who is logged in, and the route this driver chose last on this device (S50); `{}` for any. */
export async function viewer(
  db: SomaDb,
): Promise<{ session: Session | null; route: OfferedRoute }> {
  const { session, found } = await withCurrentAccount(db, (account) =>
    getSubjectState(db, 'route', account),
  )
  return { session: session ?? null, route: found ?? {} }
}

/** The route alone. */
export const rememberedRoute = async (db: SomaDb): Promise<OfferedRoute> => (await viewer(db)).route
