import { Dexie, type PromiseExtended, type Table } from 'dexie'
import { commitNow } from './commit-now.ts'
import { isConnectionLost } from './connection/reconnect.ts'
import type { EngineDb } from './engine-db.ts'

/** Commands that share one transaction: waiting for one another costs less than a disk each. */
const mostTogether = 250

/** What the commands of one transaction have read for one another, and what they add at its end. */
export type Batch = {
  /** Reads once what no command of the batch changes. */
  once<T>(what: string, read: () => PromiseExtended<T>): PromiseExtended<T>
  /** Written together with what the others add, before anybody reads: in the order of the calls. */
  put<T, K>(table: Table<T, K>, ...rows: T[]): void
  delete<T, K>(table: Table<T, K>, key: NoInfer<K>): void
  /** Writes what was added so far, so that the caller can read it. */
  flush(): PromiseExtended<unknown>
}

export type Write = {
  /** Everything the batch has so far is written: `work` may read and write the tables themselves. */
  <T>(work: (batch: Batch) => Promise<T>): Promise<T>
  /** `work` reads only what no command changes, and leaves its writing to the batch. */
  adding: <T>(work: (batch: Batch) => Promise<T>) => Promise<T>
}

type Job = {
  work: (batch: Batch) => Promise<unknown>
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

/**
 * Runs commands one after another, as many in a transaction as have gathered while the one before
 * was being written (group commit). Each resolves once its own writes are durable. When one of them
 * fails, nothing of the transaction stands: each is run again in one of its own, so that it fails alone. So is what lost
 * its connection before the commit was requested.
 */
export function createGroupCommit(db: EngineDb, tables: Table[]): Write {
  const waiting: Job[] = []
  let running = false
  let isCommitting = false

  function add<T>(work: (batch: Batch) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve, reject })
      // Outside of whatever zone the caller's query or transaction has made.
      if (!running) Dexie.ignoreTransaction(() => void run())
    })
  }

  async function run() {
    running = true
    // What is asked for in the same breath goes together.
    await Promise.resolve()
    while (waiting.length > 0) {
      const jobs = waiting.splice(0, mostTogether)
      await together(jobs).catch(async (error) => {
        // Lost before it was committed, nothing of it stands; lost after that, nobody knows (S84).
        const isRepeated = isConnectionLost(error) ? !isCommitting : jobs.length > 1
        for (const job of jobs)
          if (isRepeated) await together([job]).catch(job.reject)
          else job.reject(error)
      })
    }
    running = false
  }

  async function together(jobs: Job[]) {
    isCommitting = false
    const values = await db.transaction('rw', tables, async (transaction) => {
      const batch = createBatch()
      const results: unknown[] = []
      for (const { work } of jobs) results.push(await work(batch))
      isCommitting = true
      await commitNow(transaction, batch.flush)
      return results
    })
    for (const [index, job] of jobs.entries()) job.resolve(values[index] as never)
  }

  const write = <T>(work: (batch: Batch) => Promise<T>) =>
    add(async (batch) => {
      await batch.flush()
      return work(batch)
    })
  return Object.assign(write, { adding: add })
}

function createBatch(): Batch {
  const known = new Map<string, PromiseExtended<unknown>>()
  const added = new Map<Table, unknown[]>()
  /** Each key once, by its text: commands of one moment clear the same draft. */
  const deleted = new Map<Table, Map<string, unknown>>()

  function flush() {
    const writes = [
      ...[...added].map(([table, rows]) => table.bulkPut(rows)),
      ...[...deleted].map(([table, keys]) => table.bulkDelete([...keys.values()] as never[])),
    ]
    added.clear()
    deleted.clear()
    return Dexie.Promise.all(writes)
  }

  return {
    once<T>(what: string, read: () => PromiseExtended<T>) {
      const found = (known.get(what) as PromiseExtended<T> | undefined) ?? read()
      known.set(what, found)
      return found
    },
    put: <T, K>(table: Table<T, K>, ...rows: T[]) =>
      void of(added, table as Table, () => []).push(...rows),
    delete: <T, K>(table: Table<T, K>, key: NoInfer<K>) =>
      void of(deleted, table as Table, () => new Map()).set(String(key), key),
    flush,
  }
}

/** What the map has for this table, at first what `make` makes. */
function of<T>(map: Map<Table, T>, table: Table, make: () => T): T {
  const found = map.get(table) ?? make()
  map.set(table, found)
  return found
}
