import { Dexie, type Table } from 'dexie'
import { v7 } from 'uuid'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { rowVersion } from '#store/deliveries/row-schema.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { SomaDb } from '#store/soma-db.ts'
import { sender } from '../rows.ts'

/** A row as our store keeps it when nothing is pending. */
export const rowOf = (delivery: Delivery): DeliveryRow => ({
  v: rowVersion,
  account: sender.ID,
  ID: delivery.ID,
  view: delivery,
  known: true,
  marks: [],
  sentAt: delivery.createdAt,
})

type Rows = Table<DeliveryRow, [string, string]>

/** Our table of deliveries with its indexes, in a database that has nothing else: Dexie alone. */
export async function rawTable(): Promise<{ table: Rows; gone: () => Promise<void> }> {
  const { primKey, indexes } = new SomaDb('never opened').deliveries.schema
  const db = new Dexie(`bench-${v7()}`, { chromeTransactionDurability: 'strict' })
  db.version(1).stores({ deliveries: [primKey, ...indexes].map(({ src }) => src).join(',') })
  await db.open()
  return { table: db.table('deliveries'), gone: () => db.delete() }
}
