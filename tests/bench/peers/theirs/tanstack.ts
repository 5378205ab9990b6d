import { createCollection, type SyncConfig } from '@tanstack/db'
import { IndexedDBAdapter, startOfflineExecutor } from '@tanstack/offline-transactions'
import { settled } from '../durability.ts'
import { askAt, numbers } from '../rows.ts'

/*
 * @tanstack/offline-transactions as its README and its skill say: a collection, one named mutation
 * function that posts under the idempotency key, IndexedDB. The answer is written into the collection
 * by its sync, as the documentation has it, so that the row stays on the screen.
 */

type Row = {
  ID: string
  itemDescription: string
  kind?: 'issue'
  deliveryId?: string
  issue?: string
}

/** An executor over a database of its own; offline until told otherwise. */
async function executor(dbName: string) {
  let sync: Parameters<SyncConfig<Row, string>['sync']>[0] | undefined
  const deliveries = createCollection<Row, string>({
    id: dbName,
    getKey: (row) => row.ID,
    startSync: true,
    sync: {
      sync: (params) => {
        sync = params
        params.markReady()
      },
    },
  })
  const keep = (value: Row) => {
    sync?.begin()
    sync?.write({ type: 'insert', value })
    sync?.commit()
  }
  let online = false
  let wake = () => {}
  const offline = startOfflineExecutor({
    collections: { deliveries },
    storage: new IndexedDBAdapter(dbName),
    mutationFns: {
      create: async ({ transaction, idempotencyKey }) => {
        const row = transaction.mutations[0]?.modified as Row
        const path = row.kind === 'issue' ? '/api/guest/disputes' : '/api/guest/deliveries'
        const response = await fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
          body: JSON.stringify(row),
        })
        if (!response.ok) throw new Error(`The server answered ${response.status}`)
        const answer = await response.json()
        keep({ ...row, ...answer.delivery, ID: row.ID })
      },
    },
    onlineDetector: {
      isOnline: () => online,
      notifyOnline: () => wake(),
      subscribe: (callback) => {
        wake = callback
        return () => {}
      },
      dispose: () => {},
    },
  })
  await offline.waitForInit()
  if (!offline.isOfflineEnabled) throw new Error('Not the leader')
  const insert = (row: Row): Promise<unknown> => {
    const transaction = offline.createOfflineTransaction({
      mutationFnName: 'create',
      autoCommit: false,
    })
    transaction.mutate(() => {
      deliveries.insert(row)
    })
    return transaction.commit()
  }
  const connect = () => {
    online = true
    wake()
  }
  return { offline, deliveries, insert, connect }
}

const rowAt = (index: number): Row => ({ ID: crypto.randomUUID(), ...askAt(index) })
const issueAt = (index: number, deliveryId: string): Row => ({
  ID: crypto.randomUUID(),
  kind: 'issue',
  itemDescription: '',
  deliveryId,
  issue: `Issue ${index}`,
})

/** Until every transaction is in the outbox and durable. Its promises resolve only after sending. */
async function enqueue(count: number): Promise<number> {
  const { offline, insert } = await executor(`bench-${crypto.randomUUID()}`)
  await settled()
  const start = performance.now()
  for (const index of numbers(count)) void insert(rowAt(index))
  while (offline.getPendingCount() < count) await pause()
  await settled()
  const took = performance.now() - start
  const held = (await offline.peekOutbox()).length
  if (held !== count) throw new Error(`Kept ${held} of ${count}`)
  return took
}

/** Queued without a network, then sent until all are answered and gone from the outbox. */
async function replay(count: number, disputes: boolean): Promise<number> {
  const { offline, insert, connect } = await executor(`bench-${crypto.randomUUID()}`)
  const sent = await queue(count, disputes, insert, offline)
  const start = performance.now()
  connect()
  await Promise.all(sent)
  await settled()
  return performance.now() - start
}

/** The same after a restart: the queue is read from the disk, as when the app was closed meanwhile. */
async function replayAfterRestart(count: number): Promise<number> {
  const dbName = `bench-${crypto.randomUUID()}`
  const before = await executor(dbName)
  for (const each of await queue(count, false, before.insert, before.offline)) each.catch(() => {})
  before.offline.dispose()
  while ((await navigator.locks.query()).held?.length) await pause()
  const start = performance.now()
  const { offline, connect } = await executor(dbName)
  connect()
  while (offline.getPendingCount() > 0 || offline.getRunningCount() > 0) await pause()
  await settled()
  return performance.now() - start
}

type Executor = Awaited<ReturnType<typeof executor>>

async function queue(
  count: number,
  disputes: boolean,
  insert: Executor['insert'],
  offline: Executor['offline'],
): Promise<Promise<unknown>[]> {
  const sent: Promise<unknown>[] = []
  for (let index = 0; index < count; index += disputes ? 2 : 1) {
    const row = rowAt(index)
    sent.push(insert(row))
    if (disputes) sent.push(insert(issueAt(index, row.ID)))
  }
  while (offline.getPendingCount() < count) await pause()
  await settled()
  return sent
}

/** A turn of the event loop, without the four milliseconds of a nested timer. */
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(0)
  })

Object.assign(globalThis, { bench: { enqueue, replay, replayAfterRestart } })
