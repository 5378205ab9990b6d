import { Dexie } from 'dexie'
import type { Entry } from '#store/entries/operations.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { commitNow } from '#sync/database/commit-now.ts'
import { settled } from '../durability.ts'
import { askAt, numbers, rowAt, sender } from '../rows.ts'
import { draftAt, freshPhone, hostedPhoto, median, timed } from './phone.ts'
import { rowOf } from './raw.ts'

/*
 * The same work by the browser alone, or by Dexie, with no engine: what is left of a time when it is
 * taken away is the platform's own.
 */

const lanes = 6
const looks = 40

/** The same requests, so many at a time; nothing is kept of the answers. */
export async function fetchOnly(count: number): Promise<number> {
  const waiting = numbers(count)
  const lane = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift())
      await (await fetch('/api/guest/deliveries', asked(index))).json()
  }
  return timed(() => Promise.all(numbers(lanes).map(lane)))
}

const asked = (index: number): RequestInit => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
  return { method: 'POST', headers, body: JSON.stringify(askAt(index)) }
}

/** Entry, row and guest record, one transaction after another, each awaited; by Dexie, or without it. */
export async function writeOnly(count: number, by: 'Dexie' | 'the browser'): Promise<number> {
  const soma = await freshPhone()
  const photo = await hostedPhoto(soma)
  await soma.commands.requestDelivery(draftAt(0, photo), 'guest')
  const [entry] = await soma.db.outbox.toArray()
  const [row] = await soma.db.deliveries.toArray()
  const [guest] = await soma.db.guests.toArray()
  if (!entry || !row || !guest) throw new Error('Nothing to write')
  const disk = soma.db.backendDB()
  await settled()
  const took = await timed(async () => {
    for (const _ of numbers(count)) {
      const id = crypto.randomUUID()
      const { seq, ...fresh } = entry
      const rows = {
        outbox: { ...fresh, id, lane: id },
        deliveries: { ...row, ID: id },
        guests: { ...guest, id },
      }
      await (by === 'Dexie' ? writtenByDexie(soma.db, rows) : written(disk, rows))
    }
    await settled()
  })
  await soma.db.delete()
  return took
}

/** As `see` does it: one entry and its row, then the list that shows it. */
export async function writeAndLook(held: number): Promise<number> {
  const { db, commands } = await freshPhone({ signedIn: true })
  await db.deliveries.bulkPut(numbers(held).map((index) => rowOf(rowAt(index))))
  await commands.approveDelivery(rowAt(0).ID)
  const [entry] = await db.outbox.toArray()
  if (!entry) throw new Error('Nothing to write')
  const disk = db.backendDB()
  await settled()
  const took: number[] = []
  for (const look of numbers(looks)) {
    const row = rowOf(rowAt(held - 1 - look))
    took.push(
      await timed(async () => {
        const id = crypto.randomUUID()
        const { seq, ...fresh } = entry
        await written(disk, { outbox: { ...fresh, id, lane: row.ID }, deliveries: row })
        await list(disk)
      }),
    )
  }
  await db.delete()
  return median(took)
}

type Rows = { outbox: Omit<Entry, 'seq'>; deliveries: DeliveryRow; guests?: object }

function written(disk: IDBDatabase, rows: Rows): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = disk.transaction(Object.keys(rows), 'readwrite', { durability: 'strict' })
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    for (const [name, row] of Object.entries(rows)) transaction.objectStore(name).put(row)
    transaction.commit()
  })
}

const writtenByDexie = (db: SomaDb, rows: Rows): PromiseLike<unknown> =>
  db.transaction('rw', Object.keys(rows), (transaction) =>
    commitNow(transaction, () =>
      Dexie.Promise.all(
        Object.entries(rows).map(([name, row]) => transaction.table(name).bulkPut([row])),
      ),
    ),
  )

function list(disk: IDBDatabase): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const store = disk.transaction('deliveries', 'readonly').objectStore('deliveries')
    const range = IDBKeyRange.bound([sender.ID, ''], [sender.ID, []])
    // Newest first; TypeScript does not know these options yet.
    const newest = { query: range, count: 100, direction: 'prev' } as unknown as IDBKeyRange
    const request = store.index('[account+sentAt]').getAll(newest)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
