import { randomBytes } from 'node:crypto'
import Dexie from 'dexie'
import { openDexieRepo } from '#demo/backend/dexie/dexie-repo.ts'
import type { Repo } from '#server/ports/repo.ts'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { ask, freshDatabase } from './postgres.ts'

/** A server's database that can be put back to an earlier state while its server runs. */
export type Restorable = {
  /** The server's own; it stays the same object over restores. */
  repo: Repo
  /** Opens the database once more, as another server process does. */
  open(): Repo
  /** Remembers the present state. Returns the function that puts it back, as often as it is called. */
  backup(): Promise<() => Promise<void>>
  /** Closes `repo` and deletes the database. What `open` returned must be closed before. */
  close(): Promise<void>
}

/** PostgreSQL: the database is replaced by a copy, under the same address, and connections break. */
export async function restorablePostgres(postgresUrl: string): Promise<Restorable> {
  const { url, ownerUrl, drop } = await freshDatabase(postgresUrl)
  const name = new URL(ownerUrl).pathname.slice(1)
  const copies: string[] = []
  const repo = openPostgres(url)
  const endConnections = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
  /** A server connects again at any moment, so copying may have to be repeated. */
  async function copy(from: string, to: string) {
    await ask(postgresUrl, `alter database ${from} allow_connections false`)
    await ask(postgresUrl, endConnections)
    await ask(postgresUrl, `create database ${to} template ${from}`)
    await ask(postgresUrl, `alter database ${from} allow_connections true`)
  }
  return {
    repo,
    open: () => openPostgres(url),
    async backup() {
      const kept = `soma_copy_${randomBytes(6).toString('hex')}`
      copies.push(kept)
      await copy(name, kept)
      await connected(repo)
      return async () => {
        await ask(postgresUrl, `drop database ${name} with (force)`)
        await copy(kept, name)
        await connected(repo)
      }
    },
    async close() {
      await repo.close()
      await drop()
      for (const each of copies) await ask(postgresUrl, `drop database ${each}`)
    },
  }
}

/** Waits until the pool has replaced the connections that broke. */
export async function connected(repo: Repo): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await repo.ping()
    } catch (error) {
      if (tries >= 100) throw error
      await new Promise((later) => setTimeout(later, 50))
    }
  }
}

/** IndexedDB: the server ends, every row is replaced, and it starts again; its listeners hear of a gap. */
export function restorableDexie(name = `server ${randomBytes(8).toString('hex')}`): Restorable {
  let inner = openDexieRepo(name)
  const listeners = new Set<{ start(): void; onGap(): void }>()
  const repo: Repo = {
    transaction: (work) => inner.transaction(work),
    read: (work) => inner.read(work),
    ping: () => inner.ping(),
    close: () => inner.close(),
    listen(onEvent, onGap) {
      let stop = () => {}
      const listener = {
        onGap,
        start() {
          stop = inner.listen(onEvent, onGap)
        },
      }
      listener.start()
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
  }
  return {
    repo,
    open: () => openDexieRepo(name),
    async backup() {
      // Creates the database when nothing has used it yet.
      await inner.ping()
      const rows = await readAll(name)
      return async () => {
        await inner.close()
        await replaceAll(name, rows)
        inner = openDexieRepo(name)
        for (const { start, onGap } of listeners) {
          start()
          onGap()
        }
      }
    },
    async close() {
      await inner.close()
      await Dexie.delete(name)
    },
  }
}

async function withTables<T>(name: string, work: (db: Dexie) => Promise<T>): Promise<T> {
  const db = await new Dexie(name).open()
  try {
    return await work(db)
  } finally {
    db.close()
  }
}

type Rows = Map<string, unknown[]>

const readAll = (name: string): Promise<Rows> =>
  withTables(name, (db) =>
    db.transaction('r', db.tables, async () => {
      const rows = db.tables.map(async (table) => [table.name, await table.toArray()] as const)
      return new Map(await Promise.all(rows))
    }),
  )

const replaceAll = (name: string, rows: Rows): Promise<void> =>
  withTables(name, (db) =>
    db.transaction('rw', db.tables, async () => {
      for (const table of db.tables) {
        await table.clear()
        await table.bulkAdd(rows.get(table.name) ?? [])
      }
    }),
  )
