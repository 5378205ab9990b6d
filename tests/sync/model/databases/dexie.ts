import Dexie from 'dexie'
import { openDexieRepo } from '#demo/backend/dexie/repo.ts'
import type { Database } from '../scenario/seed-data.ts'

const name = 'server'

/** Each scenario has an IndexedDB of its own, so the database can always have the same name. */
export const inDexie = (): Database => ({ repo: openDexieRepo(name), backUp })

/** Copies every table; what it resolves to puts the copy back, as a restore from a backup does. */
async function backUp(): Promise<() => Promise<void>> {
  const copy = await withTables((db) =>
    Promise.all(
      db.tables.map(async (table) => ({ name: table.name, rows: await table.toArray() })),
    ),
  )
  return () =>
    withTables((db) =>
      db.transaction('rw', db.tables, async () => {
        for (const { name, rows } of copy) {
          await db.table(name).clear()
          await db.table(name).bulkAdd(rows)
        }
      }),
    )
}

async function withTables<T>(work: (db: Dexie) => PromiseLike<T>): Promise<T> {
  const db = await new Dexie(name).open()
  try {
    return await work(db)
  } finally {
    db.close()
  }
}
