import Dexie, { type DBCore, type DBCoreMutateRequest, type DBCoreTable } from 'dexie'
import type { SomaDb } from '#store/soma-db.ts'

/** What a tab's database hears of the tab's fate, and who hears of what it has written. */
export type Gate = {
  isDead(): boolean
  /** Called before each thing asked of the database; may kill the tab. */
  step(): void
  /** Whether the phone has no room for this write. */
  isFull(): boolean
  /** Called with what a transaction has changed of entries, photos and who is logged in, once it has committed. */
  committed(changes: Change[]): void
}

export type Change = {
  table: string
  type: DBCoreMutateRequest['type']
  values: readonly unknown[]
  /** Of what was deleted. */
  keys: readonly unknown[]
}

const watched = ['outbox', 'photos', 'sessions']

/** New entries have the numbers that end with the last one given. */
function numbered(entries: { seq?: number }[], last: number) {
  const added = entries.filter(({ seq }) => seq === undefined)
  for (const [at, entry] of added.entries()) entry.seq = last - added.length + 1 + at
}

const killed = Object.assign(new Error('The tab was killed'), { name: 'AbortError' })
const never = () => new Promise<never>(() => {})

/**
 * Stands between a tab's store and IndexedDB: a tab that was killed writes nothing more, and what it
 * had begun to write is undone. Returns how to cut it off.
 */
export function guardDb(db: SomaDb, gate: Gate): () => void {
  const open = new Map<IDBTransaction, Change[]>()

  db.use({
    stack: 'dbcore',
    name: 'gate',
    level: -1,
    create: (core) => ({
      ...core,
      transaction(...asked: Parameters<DBCore['transaction']>) {
        if (!gate.isDead()) gate.step()
        if (gate.isDead()) throw killed
        // IndexedDB's own: Dexie's type says less than it is.
        const transaction = core.transaction(...asked) as unknown as IDBTransaction
        const changes: Change[] = []
        open.set(transaction, changes)
        transaction.addEventListener('abort', () => void open.delete(transaction))
        transaction.addEventListener('complete', () => {
          open.delete(transaction)
          if (!gate.isDead() && changes.length > 0) gate.committed(changes)
        })
        return transaction as unknown as ReturnType<DBCore['transaction']>
      },
      table: (name) => guarded(core.table(name)),
    }),
  })

  function guarded(table: DBCoreTable): DBCoreTable {
    // Dexie's own promises all the way: a native one in between would let a transaction commit too early.
    const passing =
      <A, B>(work: (asked: A) => PromiseLike<B>) =>
      (asked: A): Promise<B> => {
        if (!gate.isDead()) gate.step()
        if (gate.isDead()) return never()
        return work(asked).then((got) => (gate.isDead() ? never() : got)) as Promise<B>
      }
    return {
      ...table,
      get: passing(table.get),
      getMany: passing(table.getMany),
      query: passing(table.query),
      openCursor: passing(table.openCursor),
      count: passing(table.count),
      mutate: passing((asked: DBCoreMutateRequest) => {
        const adds = asked.type === 'add' || asked.type === 'put'
        if (adds && asked.values.length > 0 && gate.isFull())
          return Dexie.Promise.reject(new DOMException('No room', 'QuotaExceededError'))
        return table.mutate(asked).then((done) => {
          note(asked, table.name, done.lastResult)
          return done
        })
      }),
    }
  }

  function note(asked: DBCoreMutateRequest, table: string, lastResult: unknown) {
    if (!watched.includes(table)) return
    const adds = asked.type === 'add' || asked.type === 'put'
    const values: unknown[] = adds ? structuredClone([...asked.values]) : []
    if (table === 'outbox') numbered(values as { seq?: number }[], Number(lastResult))
    const keys = asked.type === 'delete' ? asked.keys : []
    const changes = open.get(asked.trans as unknown as IDBTransaction)
    changes?.push({ table, type: asked.type, values, keys })
  }

  return () => {
    for (const transaction of open.keys()) {
      // Whoever waits for it is no more.
      Object.assign(transaction, { oncomplete: null, onabort: null, onerror: null })
      try {
        transaction.abort()
      } catch {
        // It had committed already.
      }
    }
    open.clear()
    db.backendDB()?.close()
  }
}
