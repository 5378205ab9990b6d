import { Dexie, type PromiseExtended } from 'dexie'
import type { Delivery } from '#domain/delivery.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { intentOf, isCreate } from '#store/deliveries/project.ts'
import { keep, type Reckoned, reckon } from '#store/deliveries/save-rows.ts'
import type { SomaDb } from '#store/soma-db.ts'

/** What one turn writes at its end: entries as they are now, and what the server told of rows. */
export type Writing = {
  entries: Entry[]
  /** Those among them that change how their row looks. */
  shown: Entry[]
  told: Map<string, Delivery[]>
}

/**
 * Entries and rows together, in as few writes as there are tables; forgets what it has written.
 * Returns how to write it, once everything that must be read for it is.
 */
export async function ready(db: SomaDb, writing: Writing): Promise<() => PromiseExtended<unknown>> {
  const inHand = writing.entries.splice(0)
  const shown = writing.shown.splice(0).filter(isOfDelivery)
  const told = new Map(writing.told)
  writing.told.clear()
  const reckoned: Reckoned = { rows: [], lost: [] }
  for (const account of new Set(inHand.map((entry) => entry.account))) {
    const ids = shown.flatMap((entry) => (entry.account === account ? [entry.lane] : []))
    const { rows, lost } = await reckon(db, account, { ids, told: told.get(account), inHand })
    reckoned.rows.push(...rows)
    reckoned.lost.push(...lost)
  }
  return () => Dexie.Promise.all([db.outbox.bulkPut(inHand), keep(db, reckoned)])
}

export async function write(db: SomaDb, writing: Writing): Promise<void> {
  const end = await ready(db, writing)
  await end()
}

const isOfDelivery = (entry: Entry) => isCreate(entry) || intentOf(entry) !== undefined

/** To be written, and shown. */
export const put = ({ entries, shown }: Writing, entry: Entry): void => {
  entries.push(entry)
  shown.push(entry)
}
