import type { Dexie } from 'dexie'

export type DiskWrite = { table: string; how: 'put' | 'delete'; value?: unknown }

/**
 * Calls `listener` below Dexie before each write of this database; an error it throws fails the write.
 * Returns a function that stops listening.
 */
export function onWrite(db: Dexie, listener: (write: DiskWrite) => void): () => void {
  const prototype = IDBObjectStore.prototype
  const { put, add, delete: remove, clear } = prototype
  const isOurs = (store: IDBObjectStore) => store.transaction.db.name === db.name

  prototype.put = function (value, ...key) {
    if (isOurs(this)) listener({ table: this.name, how: 'put', value })
    return put.call(this, value, ...key)
  }
  prototype.add = function (value, ...key) {
    if (isOurs(this)) listener({ table: this.name, how: 'put', value })
    return add.call(this, value, ...key)
  }
  prototype.delete = function (key) {
    if (isOurs(this)) listener({ table: this.name, how: 'delete' })
    return remove.call(this, key)
  }
  prototype.clear = function () {
    if (isOurs(this)) listener({ table: this.name, how: 'delete' })
    return clear.call(this)
  }
  return () => void Object.assign(prototype, { put, add, delete: remove, clear })
}
