import type { Commute } from '#domain/users/commute.ts'
import { anyZone } from '#domain/users/commutes.ts'
import { isWay, offeredAt } from '../../deliveries/offered-route.ts'
import type { SomaDb } from '../../soma-db.ts'
import { ownCommutes } from './own-commutes.ts'
import { rememberedRoute } from './viewer.ts'

/**
 * Which jobs this driver is shown at this time, milliseconds since 1970, who has chosen nothing else (R166), and the
 * commutes that this is chosen from: the server refuses a way from or to a zone that has left the list.
 */
export const offeredNow = (
  db: SomaDb,
  now: number,
): Promise<ReturnType<typeof offeredAt> & { commutes: Commute[] }> =>
  db.transaction('r', [db.sessions, db.outbox, db.meta, db.zones], async () => {
    const { commutes } = await ownCommutes(db)
    const before = await rememberedRoute(db)
    const zones = await db.zones.toArray()
    const known = new Set([anyZone, ...zones.map(({ Name }) => Name)])
    // A phone that has never had the zones knows of none that has left.
    const areThere = (from = anyZone, to = anyZone) =>
      zones.length === 0 || (known.has(from) && known.has(to))
    const there = commutes.filter(({ from, to }) => areThere(from, to))
    const isThere = isWay(before)
      ? areThere(before.from, before.to)
      : areThere(before.pickupZone, before.dropoffZone)
    return { ...offeredAt(there, isThere ? before : {}, now), commutes: there }
  })
