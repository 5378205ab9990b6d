import { type Choice, movedTo } from '#domain/choices.ts'
import { changeZone, renameZone } from '#domain/zones/change-zone.ts'
import type { Zone } from '#domain/zones/zone.ts'
import { unsentOf } from '../../entries/operations.ts'
import { currentAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import { items, zones as listedZones } from '../queries.ts'

/** `isUnsent`: a change of this admin about it has not arrived. */
export type Changed<C> = C & { isUnsent?: boolean }

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

/** The item types as they are once this admin's changes have arrived (R206, R207). */
export async function changedItems(db: SomaDb, account?: string): Promise<Changed<Choice>[]> {
  const entries = await unsentOf(db, account ?? (await currentAccount(db)), 'changeItem')
  let all: Changed<Choice>[] = await items(db)
  for (const { input } of entries) {
    const { id, rename, place } = input
    if (rename !== undefined)
      all = all.map((each) => (each.ID === id ? { ...each, Name: rename } : each))
    if (place !== undefined) all = movedTo(all, id, place)
    all = marked(all, id)
  }
  return all
}

const marked = <C extends Choice>(choices: readonly Changed<C>[], id: string): Changed<C>[] =>
  choices.map((each) => (each.ID === id ? { ...each, isUnsent: true } : each))
