import { v7 } from 'uuid'
import { emptyDraft, type SendDraft } from '#domain/deliveries/draft.ts'
import type { Entry } from '#store/entries/operations.ts'
import { openSoma } from '#store/open.ts'
import { SomaDb } from '#store/soma-db.ts'
import { guestAccount } from '#sync/database/engine-db.ts'

/*
 * What a benchmark runs inside the page. Every function returns milliseconds and uses a database of its
 * own, deleted afterwards.
 */

const base = new URL('/api', location.href).href

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function fresh() {
  const soma = openSoma({ base, dbName: `bench-${v7()}` })
  await soma.db.open()
  const photo = await soma.commands.savePhoto(new ArrayBuffer(64), 'image/jpeg')
  return { ...soma, photo }
}

const draft = (photo: string, index: number): SendDraft => ({
  ...emptyDraft,
  itemDescription: `Parcel ${index}`,
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  recipientName: 'Abena Mensah',
  recipientPhone: '0244123456',
  offer: '60',
  photo,
  senderName: 'Ama Owusu',
  senderPhone: '0244999999',
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** The whole command: rule check, row, entry and guest record, durable. `together`: without awaiting each. */
async function enqueue(count: number, how: 'together' | 'one by one'): Promise<number> {
  const { db, commands, photo } = await fresh()
  const one = (index: number) => commands.requestDelivery(draft(photo, index), 'guest')
  const took = await timed(async () => {
    if (how === 'together') await Promise.all(numbers(count).map(one))
    else for (const index of numbers(count)) await one(index)
  })
  await db.delete()
  return took
}

/** The rows that those commands write, an entry and a delivery each, written by Dexie only. */
async function bare(count: number, how: 'together' | 'one by one'): Promise<number> {
  const model = await fresh()
  const id = await model.commands.requestDelivery(draft(model.photo, 0), 'guest')
  const { seq: _, ...entry } = (await model.db.outbox.where('id').equals(id).first()) as Entry
  const row = await model.db.deliveries.get([guestAccount, id])
  await model.db.delete()
  const db = new SomaDb(`bench-${v7()}`)
  await db.open()
  const entries = numbers(count).map(() => ({ ...entry, id: v7() }) as Entry)
  const rows = entries.map((each) => ({ ...(row as NonNullable<typeof row>), ID: each.id }))
  const write = (some: Entry[], their: typeof rows) =>
    db.transaction('rw', db.outbox, db.deliveries, async () => {
      await db.outbox.bulkAdd(some)
      await db.deliveries.bulkAdd(their)
    })
  const took = await timed(async () => {
    if (how === 'together') await write(entries, rows)
    else
      for (const index of numbers(count))
        await write(entries.slice(index, index + 1), rows.slice(index, index + 1))
  })
  await db.delete()
  return took
}

/** Queued mutations, sent by the engine until none waits. */
async function replay(count: number, url: string): Promise<number> {
  const { db, commands, engine, photo } = await fresh()
  await db.photos.update(photo, { url })
  for (const index of numbers(count)) await commands.requestDelivery(draft(photo, index), 'guest')
  const took = await timed(async () => {
    await engine.start()
    while ((await db.outbox.where('state').equals('done').count()) < count) await engine.runRound()
  })
  await engine.stop()
  await db.delete()
  return took
}

/** The same requests to the same endpoint by `fetch` only, one after another. */
async function fetchLoop(count: number, url: string): Promise<number> {
  const { photo: _, offer, ...rest } = draft('', 0)
  const body = JSON.stringify({ ...rest, offer: Number(offer), itemPhoto: url })
  return timed(async () => {
    for (const _ of numbers(count)) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': v7() }
      const response = await fetch(`${base}/guest/deliveries`, { method: 'POST', headers, body })
      if (response.status !== 201) throw new Error(await response.text())
      await response.json()
    }
  })
}

Object.assign(globalThis, { bench: { enqueue, bare, replay, fetchLoop } })
