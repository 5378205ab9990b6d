import Dexie from 'dexie'
import { v7 } from 'uuid'
import { openDexieRepo } from '#demo/backend/dexie/repo.ts'
import type { Passwords, Ports } from '#server/ports/ports.ts'
import { type ServerDatabase, startTestServer } from './server.ts'

/** An IndexedDB database of its own, empty. */
export function dexieDatabase(): ServerDatabase {
  const name = `server ${v7()}`
  return { open: () => openDexieRepo(name), drop: () => Dexie.delete(name) }
}

/** A test server as the demo runs it, started in a few milliseconds; its passwords cost nothing to check. */
export async function startDexieServer(over: Partial<Ports> = {}) {
  const home = dexieDatabase()
  const server = await startTestServer(home, { passwords: quickPasswords, ...over })
  return {
    ...server,
    async close() {
      await server.close()
      await home.drop()
    },
  }
}

export const quickPasswords: Passwords = {
  hash: async (password) => `hash of ${password}`,
  verify: async (kept, password) => kept === `hash of ${password}`,
}
