import { isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { reasonTexts } from '#domain/errors.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { isUnsent, refusedEntry } from '#sync/database/entry.ts'
import { type Entry, operations } from '../../entries/operations.ts'
import type { SomaDb } from '../../soma-db.ts'
import { isBroughtSince, isCreate } from '../project.ts'
import { dropFromList, projectLanes } from '../projection.ts'
import { serverRow } from '../row-schema.ts'
import type { FullResponse } from './full-responses.ts'

/*
 * What a server that was restored from a backup has lost of what this phone did (S54).
 */

/** Keys that the server is asked about at a time (R155). */
const mostKeys = 500

/** What is said of an entry that a restore undid (S54). */
const lost = { reason: 'lost', message: reasonTexts.lost } as const

/** Of which the server keeps no key for this reader, or nobody has asked for. */
const unasked: ReadonlySet<string> = new Set(['createGuestDelivery', 'acknowledgeCancel'])

/** Keys of the newest requests that the server has acknowledged to this reader; a guest's about one delivery. */
export async function acknowledgedKeys(
  db: SomaDb,
  account: string,
  delivery: string | undefined,
): Promise<string[]> {
  const done = await db.outbox.where('[account+state]').equals([account, 'done']).toArray()
  return done
    .filter(({ op, lane, input }) => {
      const isOf = account !== guestAccount || lane === delivery || isAbout(input, delivery)
      return isOf && !unasked.has(op) && !operations[op]?.isUpload
    })
    .slice(-mostKeys)
    .map(({ id }) => id)
}

const isAbout = (input: object, delivery: string | undefined) =>
  'id' in input && input.id === delivery

/** The entry that created a guest's delivery, as the server has acknowledged it. */
export async function acknowledgedCreate(
  db: SomaDb,
  id: string,
): Promise<Entry<'createGuestDelivery'> | undefined> {
  const inLane = await db.outbox.where('[account+lane]').equals([guestAccount, id]).toArray()
  return inLane.find(
    (entry): entry is Entry<'createGuestDelivery'> =>
      entry.op === 'createGuestDelivery' && entry.state === 'done',
  )
}

/**
 * The server knows these keys no more: their entries say so, and can be sent again. Of each lane the first is the
 * reason for the others. Inside the transaction that saves the response.
 */
export async function sayLost(
  db: SomaDb,
  unknown: readonly string[],
  response: FullResponse,
): Promise<void> {
  const found = await db.outbox.where('id').anyOf(unknown).toArray()
  const undone = found.filter(({ state }) => state === 'done').sort((a, b) => a.seq - b.seq)
  const firsts = new Map<string, Entry>()
  const over = new Set<string>()
  for (const entry of undone) {
    if (isCreate(entry) && !(await forgetRow(db, entry, response))) over.add(entry.lane)
    if (over.has(entry.lane)) continue
    const first = firsts.get(entry.lane)
    if (!first) firsts.set(entry.lane, entry)
    const error = first ? { ...lost, because: first.id } : lost
    await db.outbox.put(refusedEntry(entry, error, response.now))
  }
  await projectLanes(db, undone)
}

/**
 * A request that is lost is again what this phone made alone, and what waits for it is refused with it. Resolves to
 * false where there is nothing to send again: it had ended, or a response has brought it since.
 */
async function forgetRow(db: SomaDb, create: Entry, response: FullResponse): Promise<boolean> {
  const { id, account, lane, photos } = create
  const row = await db.deliveries.get([account, lane])
  const delivery = row && serverRow(row)
  if (delivery && isBroughtSince(row, response)) return false
  if (delivery && !isActiveDelivery(delivery)) {
    await dropFromList(db, account, [lane])
    await db.guests.delete(lane)
    return false
  }
  const photo = photos[0] ?? id
  // The photo as the request names it: where this phone no longer has it, by its address alone.
  if (row && !(await db.photos.get(photo))) {
    const stub = { bytes: new ArrayBuffer(0), type: 'image/jpeg', keptAt: 0 }
    await db.photos.put({ id: photo, account, ...stub, url: row.view.itemPhoto })
  }
  const inLane = await db.outbox.where('[account+lane]').equals([account, lane]).toArray()
  // The server refuses what is on its way.
  const waiting = inLane.filter((entry) => isUnsent(entry) && entry.state !== 'sending')
  const because = { ...lost, because: id }
  await db.outbox.bulkPut(waiting.map((entry) => refusedEntry(entry, because, response.now)))
  await db.deliveries.delete([account, lane])
  await db.guests.where('id').equals(lane).modify({ guestToken: undefined, moved: undefined })
  return true
}
