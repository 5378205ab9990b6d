import type { Dexie } from 'dexie'

type DiskWrite = { table: string; how: 'put' | 'delete'; value?: unknown }

type Listener = (write: DiskWrite) => void
const listeners = new Map<Listener, Dexie>()

/**
 * Calls `listener` below Dexie before each write of this database; an error it throws fails the write.
 * Returns a function that stops listening.
 */
export function onWrite(db: Dexie, listener: Listener): () => void {
  if (listeners.size === 0) observe(IDBObjectStore.prototype)
  listeners.set(listener, db)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) Object.assign(IDBObjectStore.prototype, usual)
  }
}

const { put, add, delete: remove, clear } = IDBObjectStore.prototype
const usual = { put, add, delete: remove, clear }

function observe(prototype: IDBObjectStore) {
  const tell = (store: IDBObjectStore, write: Omit<DiskWrite, 'table'>) => {
    for (const [listener, db] of listeners)
      if (store.transaction.db.name === db.name) listener({ table: store.name, ...write })
  }
  prototype.put = function (value, ...key) {
    tell(this, { how: 'put', value })
    return put.call(this, value, ...key)
  }
  prototype.add = function (value, ...key) {
    tell(this, { how: 'put', value })
    return add.call(this, value, ...key)
  }
  prototype.delete = function (key) {
    tell(this, { how: 'delete' })
    return remove.call(this, key)
  }
  prototype.clear = function () {
    tell(this, { how: 'delete' })
    return clear.call(this)
  }
}
