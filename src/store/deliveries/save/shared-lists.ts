import type { Choice } from '#domain/choices.ts'
import { putState } from '#sync/database/device/state.ts'
import { noteMinimumBuild } from '#sync/database/device/update.ts'
import type { SomaDb } from '../../soma-db.ts'

/* What everybody needs, inside the pull's transaction. */

/** Replaces the zones. */
export async function saveZones(db: SomaDb, zones: Choice[]): Promise<void> {
  await db.zones.clear()
  await db.zones.bulkPut(zones)
}

/** Replaces the item types. */
export async function saveItems(db: SomaDb, items: Choice[]): Promise<void> {
  await db.items.clear()
  await db.items.bulkPut(items)
}

/** Stores the answer of `GET /config`. */
export async function saveConfig(db: SomaDb, config: { minClientVersion?: number }): Promise<void> {
  await putState(db, 'config', config)
  await noteMinimumBuild(db, config.minClientVersion)
}
