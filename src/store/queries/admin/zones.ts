import { type Choice, movedTo } from '#domain/choices.ts'
import { changeZone, renameZone } from '#domain/zones/change-zone.ts'
import type { Zone } from '#domain/zones/zone.ts'
import { unsentOf } from '../../entries/operations.ts'
import { currentAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import { zones as listedZones } from '../queries.ts'

/** `isUnsent`: a change of this admin about it has not arrived. */
type Changed<C> = C & { isUnsent?: boolean }

/** The zones as they are once this admin's changes have arrived (R165, R206, R207). */
export async function changedZones(db: SomaDb, account?: string): Promise<Changed<Zone>[]> {
  const entries = await unsentOf(db, account ?? (await currentAccount(db)), 'changeZone')
  let zones: Changed<Zone>[] = await listedZones(db)
  for (const { input } of entries) {
    const { id, name: _, rename, place, roads, ...centre } = input
    const isThere = (name: string) => zones.some(({ Name }) => Name === name)
    if (!zones.some(({ ID }) => ID === id)) continue
    // A neighbour may have been deleted meanwhile: the server then refuses it.
    if (roads?.some(({ to }) => !isThere(to))) continue
    if (rename !== undefined) zones = renameZone(zones, id, rename)
    if (place !== undefined) zones = movedTo(zones, id, place)
    zones = marked(changeZone(zones, id, { ...centre, ...(roads ? { roads } : {}) }), id)
  }
  return zones
}

const marked = <C extends Choice>(choices: readonly Changed<C>[], id: string): Changed<C>[] =>
  choices.map((each) => (each.ID === id ? { ...each, isUnsent: true } : each))
