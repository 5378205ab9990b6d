import Dexie from 'dexie'
import { v7 } from 'uuid'
import { openDexieRepo } from '#demo/backend/dexie/repo.ts'
import type { Passwords, Ports } from '#server/ports/ports.ts'
import { type ServerDatabase, startTestServer } from './server.ts'

/** A new, empty IndexedDB database. */
export function dexieDatabase(): ServerDatabase {
  const name = `server ${v7()}`
  return { open: () => openDexieRepo(name), drop: () => Dexie.delete(name) }
}

/** A test server over IndexedDB, as in the demo; it hashes no passwords, so that it starts in milliseconds. */
export async function startDexieServer(over: Partial<Ports> = {}) {
  const database = dexieDatabase()
  const server = await startTestServer(database, { passwords: quickPasswords, ...over })
  return {
    ...server,
    async close() {
      await server.close()
      await database.drop()
    },
  }
}

export const quickPasswords: Passwords = {
  hash: async (password) => `hash of ${password}`,
  verify: async (kept, password) => kept === `hash of ${password}`,
}
