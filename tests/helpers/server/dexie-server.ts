import Dexie from 'dexie'
import { v7 } from 'uuid'
import { openDexieRepo } from '#demo/backend/dexie/dexie-repo.ts'
import type { Ports } from '#server/ports/ports.ts'
import { type ServerDatabase, startTestServer } from './server.ts'

/** A new, empty IndexedDB database. */
export function dexieDatabase(): ServerDatabase {
  const name = `server ${v7()}`
  return { open: () => openDexieRepo(name), drop: () => Dexie.delete(name) }
}

/** A test server over IndexedDB, as in the demo. */
export async function startDexieServer(over: Partial<Ports> = {}) {
  const database = dexieDatabase()
  const server = await startTestServer(database, over)
  return {
    ...server,
    async close() {
      await server.close()
      await database.drop()
    },
  }
}

export { quickPasswords } from './quick-passwords.ts'
