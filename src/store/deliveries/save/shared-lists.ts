import type { Table } from 'dexie'
import { putState } from '#sync/database/device/state.ts'
import { noteMinimumBuild } from '#sync/database/device/update.ts'
import { puts, writeInParts } from '#sync/database/write-in-parts.ts'
import type { SomaDb } from '../../soma-db.ts'
import { projectLanes } from '../projection.ts'

/* What everybody needs, inside the pull's transaction. */

/** Replaces the rows of a table. */
export async function replaceAll<T>(table: Table<T>, rows: readonly T[]): Promise<void> {
  await table.clear()
  await writeInParts(puts(table, rows))
}

/** Stores the response of `GET /config`. */
export async function saveConfig(db: SomaDb, config: { minClientVersion?: number }): Promise<void> {
  await putState(db, 'config', config)
  await noteMinimumBuild(db, config.minClientVersion)
}

/** Requests are taken again: those that were to wait for it leave now (S88). */
export async function endPause(db: SomaDb): Promise<void> {
  const postponed = await db.outbox
    .where('state')
    .equals('retrying')
    .filter(({ error }) => error?.reason === 'paused')
    .toArray()
  if (postponed.length === 0) return
  const free = { state: 'waiting', nextAt: 0, held: false, error: undefined } as const
  await db.outbox.bulkPut(postponed.map((entry) => ({ ...entry, ...free })))
  await projectLanes(db, postponed)
}
