import { createRxDatabase, type RxCollection, type RxJsonSchema } from 'rxdb'
import { replicateRxCollection } from 'rxdb/plugins/replication'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { settled } from '../durability.ts'
import { askAt, numbers, rowAt } from '../rows.ts'

/*
 * RxDB with its Dexie storage as its documentation says: no development mode, no schema validation, one
 * instance, an index for the sorted list, `replicateRxCollection` with its HTTP protocol. Its storage
 * takes the same durability as ours.
 */

type Document = { ID: string; createdAt: string } & Record<string, unknown>
type Checkpoint = { after: number; version: number }

const text = { type: 'string' } as const
const schema: RxJsonSchema<Document> = {
  version: 0,
  primaryKey: 'ID',
  type: 'object',
  properties: {
    ID: { type: 'string', maxLength: 40 },
    createdAt: { type: 'string', maxLength: 30 },
    updatedAt: text,
    status: text,
    itemDescription: text,
    pickupZone: text,
    dropoffZone: text,
    offer: { type: 'number' },
    itemPhoto: text,
    recipientName: text,
    recipientPhone: text,
    deliveryCode: text,
    isGuestDelivery: { type: 'boolean' },
    senderName: text,
    senderPhone: text,
    sender: { type: 'object' },
    history: { type: 'array', items: { type: 'object' } },
  },
  required: ['ID', 'createdAt'],
  indexes: ['createdAt'],
}

/** Documents in one pull: as many as our server gives. */
const inPull = 1_000

async function fresh() {
  const database = await createRxDatabase({
    name: `bench-${crypto.randomUUID()}`,
    storage: getRxStorageDexie({ chromeTransactionDurability: 'strict' }),
    multiInstance: false,
    eventReduce: true,
  })
  const { deliveries } = await database.addCollections({ deliveries: { schema } })
  return { database, deliveries: deliveries as RxCollection<Document> }
}

const documentAt = (index: number): Document => ({
  ID: rowAt(index).ID,
  createdAt: new Date().toISOString(),
  status: 'Pending',
  ...askAt(index),
})

type Way = 'its batches' | 'our calls'

const push: Record<Way, (rows: { newDocumentState: unknown }[]) => Promise<never[]>> = {
  /** One request for up to a hundred documents: the protocol of its documentation. */
  'its batches': async (rows) => {
    const response = await post('/documents', rows)
    return response.json()
  },
  /** The calls that there are on a server of ours, one a mutation, all of a batch at once. */
  'our calls': async (rows) => {
    const answers = rows.map(async ({ newDocumentState }) => {
      const { ID } = newDocumentState as Document
      return (await post('/api/guest/deliveries', newDocumentState, ID)).json()
    })
    await Promise.all(answers)
    return []
  },
}

async function post(path: string, body: unknown, key?: string): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (key) headers.set('idempotency-key', key)
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  return response
}

async function fetchPage(checkpoint: Checkpoint | undefined, limit: number) {
  const { after = 0, version = 0 } = checkpoint ?? {}
  const response = await fetch(`/documents?after=${after}&version=${version}&limit=${limit}`)
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  return response.json()
}

async function insertAll(deliveries: RxCollection<Document>, count: number): Promise<void> {
  for (const index of numbers(count)) await deliveries.insert(documentAt(index))
  await settled()
}

/**
 * Written with no replication, then pushed until it says that all is in sync. `inPush`: documents in one
 * push; a push that fails is repeated as a whole.
 */
async function replay(count: number, way: Way, inPush: number): Promise<number> {
  const { database, deliveries } = await fresh()
  await insertAll(deliveries, count)
  const start = performance.now()
  const replication = replicateRxCollection<Document, Checkpoint>({
    collection: deliveries,
    replicationIdentifier: 'bench',
    live: false,
    push: { batchSize: inPush, handler: push[way] },
  })
  await replication.awaitInSync()
  await settled()
  const took = performance.now() - start
  await database.remove()
  return took
}

/** `both`: a replication that also pushes, as an app that also writes has it. */
async function pull(count: number, ways: 'both' | 'down'): Promise<number> {
  const { database, deliveries } = await fresh()
  await settled()
  const start = performance.now()
  const replication = replicateRxCollection<Document, Checkpoint>({
    collection: deliveries,
    replicationIdentifier: 'bench',
    live: true,
    pull: { batchSize: inPull, handler: fetchPage },
    ...(ways === 'both' ? { push: { handler: push['its batches'] } } : {}),
  })
  await replication.awaitInitialReplication()
  await settled()
  const took = performance.now() - start
  const held = await deliveries.count().exec()
  if (held !== count) throw new Error(`Held ${held} of ${count}`)
  await database.remove()
  return took
}

let live: Awaited<ReturnType<typeof fresh>> & {
  replication: ReturnType<typeof replicateRxCollection<Document, Checkpoint>>
}

/** A live replication both ways that holds all there is. */
async function prepare(held: number): Promise<number> {
  const { database, deliveries } = await fresh()
  const replication = replicateRxCollection<Document, Checkpoint>({
    collection: deliveries,
    replicationIdentifier: 'bench',
    live: true,
    pull: { batchSize: inPull, handler: fetchPage },
    push: { handler: push['its batches'] },
  })
  await replication.awaitInSync()
  if ((await deliveries.count().exec()) !== held) throw new Error('Not all pulled')
  live = { database, deliveries, replication }
  return held
}

/** Half new ones, half changed ones, each sent as it is made; then what the server made of them is pulled. */
async function mutate(count: number): Promise<number> {
  const { deliveries, replication } = live
  for (const index of numbers(count / 2)) {
    await deliveries.insert({ ...documentAt(index), ID: crypto.randomUUID() })
    await replication.awaitInSync()
    await (await deliveries.findOne(rowAt(index).ID).exec())?.patch({ status: 'Approved' })
    await replication.awaitInSync()
  }
  replication.reSync()
  await replication.awaitInSync()
  return count
}

/** So many polls that find nothing new. */
async function idle(polls: number): Promise<number> {
  for (const _ of numbers(polls)) {
    live.replication.reSync()
    await live.replication.awaitInSync()
  }
  return polls
}

Object.assign(globalThis, { bench: { replay, pull, prepare, mutate, idle } })
