import type { Dexie } from 'dexie'

export type DiskWrite = { table: string; how: 'put' | 'delete'; value?: unknown }

/**
 * Tells of whatever a store is about to write, below Dexie, at the moment it asks the disk for it;
 * what `told` throws, that write fails with. Returns how to stop.
 */
export function onWrite(db: Dexie, told: (write: DiskWrite) => void): () => void {
  const disk = IDBObjectStore.prototype
  const { put, add, delete: remove, clear } = disk
  const isOurs = (store: IDBObjectStore) => store.transaction.db.name === db.name

  disk.put = function (value, ...key) {
    if (isOurs(this)) told({ table: this.name, how: 'put', value })
    return put.call(this, value, ...key)
  }
  disk.add = function (value, ...key) {
    if (isOurs(this)) told({ table: this.name, how: 'put', value })
    return add.call(this, value, ...key)
  }
  disk.delete = function (key) {
    if (isOurs(this)) told({ table: this.name, how: 'delete' })
    return remove.call(this, key)
  }
  disk.clear = function () {
    if (isOurs(this)) told({ table: this.name, how: 'delete' })
    return clear.call(this)
  }
  return () => void Object.assign(disk, { put, add, delete: remove, clear })
}
