import type { Choice } from '#domain/choices.ts'
import { putState } from '../../database/device/state.ts'
import type { SomaDb } from '../../soma-db.ts'

/* What everybody needs, inside the pull's transaction. */

export async function saveZones(db: SomaDb, zones: Choice[]): Promise<void> {
  await db.zones.clear()
  await db.zones.bulkPut(zones)
}

export async function saveItems(db: SomaDb, items: Choice[]): Promise<void> {
  await db.items.clear()
  await db.items.bulkPut(items)
}

export async function saveConfig(db: SomaDb, config: unknown): Promise<void> {
  await putState(db, 'config', config)
}
