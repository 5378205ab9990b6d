import type { Delivery } from '#domain/deliveries/delivery.ts'
import { isActiveDelivery, isActiveJob } from '#domain/deliveries/delivery.ts'
import { reasonTexts } from '#domain/errors.ts'
import type { InputOf } from '#operations/index.ts'
import { guestAccount } from '../../database/engine-db.ts'
import { pullInFull } from '../../database/pulls/full-pulls.ts'
import { entryOf } from '../../outbox/enqueue.ts'
import { isUnsent, refusedEntry } from '../../outbox/entry.ts'
import type { DeliveryRow } from '../../rows.ts'
import type { SomaDb } from '../../soma-db.ts'
import type { Entry } from '../operations.ts'
import { isBroughtSince, isCreate, serverRow } from '../project.ts'
import { dropFromList, mergeFromServer, projectLanes } from '../projection.ts'
import { hasHappened, isLostFrom } from '../take-back/has-happened.ts'

/*
 * What follows when the server has forgotten what this phone knew as acknowledged: it was restored from a
 * backup (S53, S54). Everything runs inside the pull's transaction.
 */

/** A full answer. Times of the pull by the clock that is never set; `now` by the device's clock, milliseconds. */
export type FullAnswer = { account: string; askedAt: number; serverAt: number; now: number }

/** What is said of an entry that a restore undid (S54). */
const lost = { reason: 'lost', message: reasonTexts.lost } as const

/** Past so many rows, one look at all ended entries is cheaper than one at each lane. */
const fewRows = 100

/**
 * Merges rows of an answer that is all there is, not a delta: they take the place of what this phone held
 * when they were asked for, even of later versions (S53). `inList`: the answer is a list's.
 */
export const mergeInFull = (
  db: SomaDb,
  deliveries: readonly Delivery[],
  answer: FullAnswer,
  inList = false,
): Promise<void> =>
  sayingLost(db, deliveries, answer, () =>
    mergeFromServer(db, answer.account, deliveries, { ...answer, inList }),
  )

/** Merges the rows that a delta names: changed after a restore, they lack what a reply had said before it. */
export const mergeDelta = (
  db: SomaDb,
  deliveries: readonly Delivery[],
  answer: FullAnswer,
): Promise<void> =>
  sayingLost(db, deliveries, answer, () =>
    mergeFromServer(db, answer.account, deliveries, { serverAt: answer.serverAt, inList: true }),
  )

/** What this phone did and these rows do not show is lost: its entry says so and can be sent again (S54). */
async function sayingLost(
  db: SomaDb,
  deliveries: readonly Delivery[],
  answer: FullAnswer,
  merge: () => Promise<unknown>,
): Promise<void> {
  const undone = await undoneEntries(db, deliveries, answer)
  await sayLost(db, undone, answer.now)
  await merge()
  await projectLanes(db, undone)
}

/** Entries of which the server has lost what they did; of each lane the first is the reason for the others. */
async function sayLost(db: SomaDb, undone: readonly Entry[], now: number): Promise<void> {
  const firsts = new Map<string, Entry>()
  for (const entry of [...undone].sort((a, b) => a.seq - b.seq)) {
    const first = firsts.get(entry.lane)
    if (!first) firsts.set(entry.lane, entry)
    await db.outbox.put(refusedEntry(entry, first ? { ...lost, because: first.id } : lost, now))
  }
}

/** Entries that the server acknowledged and whose effect these rows lack. */
async function undoneEntries(
  db: SomaDb,
  deliveries: readonly Delivery[],
  { account, askedAt, serverAt }: FullAnswer,
): Promise<Entry[]> {
  const rows = new Map(deliveries.map((delivery) => [delivery.ID, delivery]))
  const undone: Entry[] = []
  for (const entry of await doneEntries(db, account, rows)) {
    const row = rows.get(entry.lane)
    if (!row) continue
    const stored = await db.deliveries.get([account, entry.lane])
    // A later row than the one that was brought meanwhile would show what that one showed.
    const isLater = row.updatedAt > ((stored && serverRow(stored)?.updatedAt) ?? '')
    if (isBroughtSince(stored, { askedAt, serverAt }) && !isLater) continue
    const photo = entry.photos[0] === undefined ? undefined : await db.photos.get(entry.photos[0])
    if (!hasHappened(entry, row, photo?.url) && isLostFrom(row, entry)) undone.push(entry)
  }
  return undone
}

async function doneEntries(
  db: SomaDb,
  account: string,
  rows: ReadonlyMap<string, Delivery>,
): Promise<Entry[]> {
  if (rows.size > fewRows)
    return db.outbox.where('[account+state]').equals([account, 'done']).toArray()
  const lanes = [...rows.keys()].map((id): [string, string] => [account, id])
  const found = await db.outbox.where('[account+lane]').anyOf(lanes).toArray()
  return found.filter(({ state }) => state === 'done')
}

/**
 * The server does not have these rows. They leave the phone, but for what an answer has brought since it
 * was asked; a request of this person's own that was under way is lost: it says so, and can be sent again
 * (S54). Of a job that was under way the jobs on offer show what became of it: they are asked for in full.
 */
export async function settleMissing(
  db: SomaDb,
  ids: readonly string[],
  { account, askedAt, serverAt, now }: FullAnswer,
): Promise<void> {
  const found = await db.deliveries.bulkGet(ids.map((id): [string, string] => [account, id]))
  const missing = found.filter((row) => !isBroughtSince(row, { askedAt, serverAt }))
  const gone: string[] = []
  let hasJob = false
  for (const row of missing) {
    if (!row) continue
    const create = await lostCreate(db, row)
    if (create) await offerAgain(db, row, create, now)
    else gone.push(row.ID)
    hasJob ||= row.jobAt !== undefined && isActiveJob(serverRow(row) ?? row.view)
  }
  if (hasJob) await pullInFull(db, account, ['available'])
  await dropFromList(db, account, gone)
}

type Create = Entry<'createDelivery' | 'createGuestDelivery'>

/** The entry that created a request which is lost, or one like it; nothing when there is nothing to offer. */
async function lostCreate(db: SomaDb, row: DeliveryRow): Promise<Create | undefined> {
  const delivery = serverRow(row)
  if (!delivery || row.sentAt === undefined || !isActiveDelivery(delivery)) return undefined
  const entries = await db.outbox.where('[account+lane]').equals([row.account, row.ID]).toArray()
  const creates = entries.filter(isCreate)
  // One that the person took back is not offered.
  return creates.length > 0
    ? creates.find(({ state }) => state === 'done')
    : createOf(row, delivery)
}

/** What would create this request anew; the entry that did is no longer kept. */
function createOf({ account, ID, photo = ID }: DeliveryRow, delivery: Delivery): Create {
  const input: InputOf<'createDelivery'> = {
    itemDescription: delivery.itemDescription,
    pickupZone: delivery.pickupZone,
    dropoffZone: delivery.dropoffZone,
    recipientName: delivery.recipientName ?? '',
    recipientPhone: delivery.recipientPhone ?? '',
    offer: delivery.offer,
    photo,
  }
  const { senderName = '', senderPhone = '' } = delivery
  const guest = { senderName, senderPhone, guestSecret: crypto.randomUUID() + crypto.randomUUID() }
  const isGuest = account === guestAccount
  return entryOf<Create>({
    // The key of the request that is lost: sent again it gets another.
    id: ID,
    account,
    op: isGuest ? 'createGuestDelivery' : 'createDelivery',
    lane: ID,
    input: isGuest ? { ...input, ...guest } : input,
    title: delivery.itemDescription,
    occurredAt: delivery.createdAt,
    photos: [photo],
  })
}

/** The request stays on the phone as one that the server would not have, and what waited for it with it. */
async function offerAgain(
  db: SomaDb,
  row: DeliveryRow,
  create: Create,
  now: number,
): Promise<void> {
  const { account, ID } = row
  const because = { ...lost, because: create.id }
  const inLane = await db.outbox.where('[account+lane]').equals([account, ID]).toArray()
  // The server refuses what is on its way.
  const waiting = inLane.filter((entry) => isUnsent(entry) && entry.state !== 'sending')
  await keepPhoto(db, row, create)
  await db.outbox.bulkPut(waiting.map((entry) => refusedEntry(entry, because, now)))
  await db.outbox.put(refusedEntry(create, lost, now))
  await db.deliveries.put({ ...row, known: false, server: undefined, gone: undefined })
  // Their token is of the server before; the next answer brings another.
  await db.guests.where('id').equals(ID).modify({ guestToken: undefined, refusals: undefined })
  await projectLanes(db, [create])
}

/** The photo as the request names it: where this phone no longer has it, by its address alone. */
async function keepPhoto(
  db: SomaDb,
  { account, view }: DeliveryRow,
  { input: { photo } }: Create,
): Promise<void> {
  if (await db.photos.get(photo)) return
  const bytes = new ArrayBuffer(0)
  const type = 'image/jpeg'
  await db.photos.put({ id: photo, account, bytes, type, keptAt: 0, url: view.itemPhoto })
}
