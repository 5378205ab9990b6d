import type { Table } from 'dexie'
import type { EngineDb } from '#sync/database/engine-db.ts'
import type { SomaDb } from '../soma-db.ts'

/** Tables that a change of an entry reads or writes, beside the outbox's own. */
export const deliveryTables = (db: SomaDb): Table[] => [
  db.deliveries,
  db.sessions as EngineDb['sessions'],
  db.photos,
  db.guests,
  db.aliases,
  db.handovers,
]
