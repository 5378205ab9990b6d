import { changeZone } from '#domain/zones/change-zone.ts'
import type { Zone } from '#domain/zones/zone.ts'
import { unsentOf } from '../../entries/operations.ts'
import { currentAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'

/** The zones as they are once this admin's changes have arrived (R165); `isUnsent`: one of those is about it. */
export async function changedZones(
  db: SomaDb,
  account?: string,
): Promise<(Zone & { isUnsent?: boolean })[]> {
  const entries = await unsentOf(db, account ?? (await currentAccount(db)), 'changeZone')
  let zones: (Zone & { isUnsent?: boolean })[] = await db.zones.toArray()
  for (const { input } of entries) {
    const { id, name: _, roads, ...centre } = input
    const isThere = (name: string) => zones.some(({ Name }) => Name === name)
    if (!zones.some(({ ID }) => ID === id)) continue
    // A neighbour may have been deleted meanwhile: the server then refuses it.
    if (roads?.some(({ to }) => !isThere(to))) continue
    zones = changeZone(zones, id, { ...centre, ...(roads ? { roads } : {}) }).map((zone) =>
      zone.ID === id ? { ...zone, isUnsent: true } : zone,
    )
  }
  return zones
}
