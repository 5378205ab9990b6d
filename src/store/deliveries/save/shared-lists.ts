import type { Table } from 'dexie'
import { putState } from '#sync/database/device/state.ts'
import { noteMinimumBuild } from '#sync/database/device/update.ts'
import { puts, writeInParts } from '#sync/database/write-in-parts.ts'
import type { SomaDb } from '../../soma-db.ts'

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

/**
 * Requests are taken again: those that were to wait for it leave now (S88). Their rows say so once they are sent: what
 * projects rows is no part of a first page.
 */
export const endPause = (db: SomaDb): PromiseLike<number> =>
  db.outbox
    .where('state')
    .equals('retrying')
    .filter(({ error }) => error?.reason === 'paused')
    .modify({ state: 'waiting', nextAt: 0, held: false, error: undefined })
