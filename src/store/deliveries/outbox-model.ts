import type { GuestRecord } from '#domain/deliveries/guest.ts'
import { predict } from '#operations/rules.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { isUnsent, type OutboxEntry } from '#sync/database/entry.ts'
import { getMany } from '#sync/database/get-many.ts'
import type { OutboxModel, Replied, ServerReply } from '#sync/model.ts'
import { type Entry, operations } from '../entries/operations.ts'
import type { HandoverKey } from '../rows.ts'
import { actorFor } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { unusedPhotos } from './photos/photos.ts'
import { intentOf, isCreate } from './project.ts'
import { projection } from './projection.ts'
import { serverRow } from './row-schema.ts'
import { deliveryTables } from './tables.ts'

/** What the reply to a request for a delivery, or to an upload, brings beside the row. */
export type ReplyDetails = {
  /** What proves the guest from now on, and when the delivery was created by the server's clock. */
  guest?: { token: string; createdAt: string }
  /** Where the image provider keeps the photo. */
  url?: string
}

/** Deliveries, as the outbox needs them. */
export const outboxModel: OutboxModel = {
  ...projection,
  operations,
  tables: (db: SomaDb) => deliveryTables(db),
  recordReplies,
  moveRow,
  invalidatedBy,
  forgetRequests,
  subjectOf: ({ input }) => ('id' in input && typeof input.id === 'string' ? input.id : undefined),
  async guestProofs(db: SomaDb, ids) {
    const guests = await getMany(db.guests, [...new Set(ids)])
    return new Map(
      guests.flatMap((guest) =>
        guest ? [[guest.id, { token: guest.guestToken, guestPhone: guest.senderPhone }]] : [],
      ),
    )
  },
  findGarbage: (db: SomaDb) => unusedPhotos(db),
  deleteGarbage: (db: SomaDb, photos) => db.photos.bulkDelete([...photos]),
}

async function recordReplies(db: SomaDb, replied: readonly Replied[]): Promise<void> {
  const all = replied.map(({ entry, reply }) => ({ entry, details: detailsOf(reply) }))
  for (const { entry, details } of all)
    if (details.url && entry.photos[0])
      await db.photos.update(entry.photos[0], { url: details.url })
  const guests = all.filter(({ details }) => details.guest)
  if (guests.length === 0) return
  const records = await getMany(
    db.guests,
    guests.map(({ entry }) => entry.lane),
  )
  await db.guests.bulkPut(
    records.flatMap((record, at) => {
      const guest = guests[at]?.details.guest
      return record && guest ? [provenRecord(record, guest)] : []
    }),
  )
}

/** A first response that is repeated brings a token that a recovery has ended meanwhile (R109). */
function provenRecord(record: GuestRecord, guest: NonNullable<ReplyDetails['guest']>): GuestRecord {
  const isRepeated = record.guestToken !== undefined && record.createdAt === guest.createdAt
  if (isRepeated) return record
  return { ...record, guestToken: guest.token, createdAt: guest.createdAt }
}

const detailsOf = ({ details }: ServerReply) => (details ?? {}) as ReplyDetails

/** The row under its old ID goes. */
async function moveRow(db: SomaDb, account: string, from: string, to: string): Promise<void> {
  await db.deliveries.delete([account, from])
  await moveRequest(db, account, from, to)
}

/** The guest's record and the hand-over's secret of a request follow it to another ID; inside the caller's transaction. */
export async function moveRequest(
  db: SomaDb,
  account: string,
  from: string,
  to: string,
  change: Pick<HandoverKey, 'isResent'> = {},
): Promise<void> {
  const handover = await db.handovers.get([account, from])
  if (handover) {
    await db.handovers.delete([account, from])
    await db.handovers.put({ ...handover, ...change, ID: to })
  }
  const record = account === guestAccount ? await db.guests.get(from) : undefined
  if (!record) return
  await db.guests.delete(from)
  await db.guests.put({ ...record, id: to })
}

/** A guest's record belongs to a request that never was. */
export async function forgetRequests(db: SomaDb, cancelled: readonly OutboxEntry[]): Promise<void> {
  const requests = cancelled.filter(({ op }) => op === 'createGuestDelivery')
  if (requests.length > 0) await db.guests.bulkDelete(requests.map(({ lane }) => lane))
}

/** Later entries of the same delivery that the rules refuse without this one. */
async function invalidatedBy(db: SomaDb, refused: OutboxEntry): Promise<OutboxEntry[]> {
  const { account, lane } = refused
  const later = (
    await db.outbox.where('[account+lane]').equals([account, lane]).sortBy('seq')
  ).filter((entry) => entry.id !== refused.id && isUnsent(entry))
  if (isCreate(refused as Entry)) return later
  const row = await db.deliveries.get([account, lane])
  const actor = await actorFor(db, account, lane)
  let delivery = row && (serverRow(row) ?? row.view)
  const lost: OutboxEntry[] = []
  for (const each of later) {
    const intent = intentOf(each)
    if (!intent || !delivery || !actor) continue
    try {
      const { occurredAt } = each
      delivery = predict(delivery, intent, actor, { at: occurredAt, occurredAt })
    } catch {
      // The rules refuse it from here.
      lost.push(each)
    }
  }
  return lost
}
