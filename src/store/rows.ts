import {
  type Actor,
  type Delivery,
  isActiveDelivery,
  isActiveJob,
  isDriverOf,
  isSenderOf,
} from '#domain/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { foresee, type Intent } from '#domain/intent.ts'
import { contact } from '#domain/user.ts'
import type { DeliveryRow, Mark, SomaDb } from './db.ts'
import { actorFor } from './device.ts'
import { type Entry, type InputOf, isUnsent } from './entry.ts'

/**
 * The screen's view is `server's row ⊕ pending intents` (design). Everything that writes a row
 * goes through here, inside the writer's own transaction, so that nothing flickers.
 */

/** Takes in one row as the server has it, unless an answer already told of a later state. */
export async function receive(db: SomaDb, account: string, delivery: Delivery): Promise<void> {
  const old = await db.deliveries.get([account, delivery.ID])
  if (old && isOlder(delivery, old)) return
  const entries = await liveEntries(db, account, delivery.ID)
  const actor = await actorFor(db, account, delivery.ID)
  await db.deliveries.put(fold(account, delivery, entries, actor, old))
}

/** Takes in many at once: rows nobody has pending intents for go in one bulk write. */
export async function receiveAll(
  db: SomaDb,
  account: string,
  deliveries: Delivery[],
): Promise<void> {
  const olds = await db.deliveries.bulkGet(deliveries.map(({ ID }) => [account, ID]))
  const lanes = await lanesWithEntries(db, account)
  const actor = await actorFor(db, account, '')
  const plain: DeliveryRow[] = []
  for (const [index, delivery] of deliveries.entries()) {
    const old = olds[index]
    if (old && isOlder(delivery, old)) continue
    if (lanes.has(delivery.ID)) await receive(db, account, delivery)
    else plain.push(fold(account, delivery, [], actor && towards(actor, delivery.ID), old))
  }
  await db.deliveries.bulkPut(plain)
}

/** A list no longer has these rows; those with something pending stay until that is settled. */
export async function removeAll(db: SomaDb, account: string, ids: string[]): Promise<void> {
  const rows = await db.deliveries.bulkGet(ids.map((id) => [account, id]))
  for (const row of rows) {
    if (!row) continue
    if (row.marks.length > 0) await db.deliveries.put({ ...row, gone: true })
    else await db.deliveries.delete([account, row.ID])
  }
}

/** Recomputes a row after its entries changed: enqueued, answered, refused or taken back. */
export async function refold(db: SomaDb, account: string, id: string): Promise<void> {
  const old = await db.deliveries.get([account, id])
  const entries = await liveEntries(db, account, id)
  const server = old?.server ?? (old?.known ? old.view : undefined)
  const create = entries.find(isCreate)
  if (old?.gone && entries.length === 0) return db.deliveries.delete([account, id])
  if (!server && !create) return db.deliveries.delete([account, id])
  const actor = await actorFor(db, account, id)
  const base = server ?? askedFor(create as CreateEntry, actor)
  const row = fold(account, base, entries, actor, old)
  if (!server) Object.assign(row, { known: false, photo: create?.input.photo, server: undefined })
  await db.deliveries.put(row)
}

/** What the server last said of this row; nothing when it does not know of it. */
export const told = (row: DeliveryRow): Delivery | undefined =>
  row.known ? (row.server ?? row.view) : undefined

/** Pure: one row from what the server said and what is still meant to happen. */
export function fold(
  account: string,
  base: Delivery,
  entries: Entry[],
  actor: Actor | undefined,
  old?: DeliveryRow,
): DeliveryRow {
  const view = entries.filter(isUnsent).reduce((row, entry) => step(row, entry, actor), base)
  const marks: Mark[] = entries.map(({ id, op, state, error }) => ({ entry: id, op, state, error }))
  const refusedCreate = entries.some((entry) => isCreate(entry) && entry.state === 'refused')
  return {
    account,
    ID: base.ID,
    view,
    server: marks.length > 0 ? base : undefined,
    known: true,
    marks,
    photo: old?.photo,
    gone: old?.gone && marks.length > 0 ? true : undefined,
    active: refusedCreate ? undefined : activeAs(view, actor),
    ...listsOf(base, actor),
  }
}

/** In which lists a delivery stands for this person, and sorted by what. */
export function listsOf(delivery: Delivery, actor: Actor | undefined): Partial<DeliveryRow> {
  const at = delivery.createdAt
  if (!actor) return {}
  if (!('user' in actor)) return isSenderOf(delivery, actor) ? { sentAt: at } : {}
  const { user } = actor
  if (user.role === 'admin') return { adminAt: at }
  if (isSenderOf(delivery, actor)) return { sentAt: at }
  if (isDriverOf(delivery, user)) return { jobAt: at }
  return user.role === 'driver' && delivery.status === 'Pending' ? { openAt: at } : {}
}

function activeAs(view: Delivery, actor: Actor | undefined): DeliveryRow['active'] {
  if (!actor) return undefined
  if (isSenderOf(view, actor)) return isActiveDelivery(view) ? 'delivery' : undefined
  const driving = 'user' in actor && isDriverOf(view, actor.user)
  return driving && isActiveJob(view) ? 'job' : undefined
}

/** An intent the rules no longer allow changes nothing for the eye; the server will say why. */
function step(delivery: Delivery, entry: Entry, actor: Actor | undefined): Delivery {
  const intent = intentOf(entry)
  if (!intent || !actor) return delivery
  try {
    return foresee(delivery, intent, actor, { at: entry.occurredAt, occurredAt: entry.occurredAt })
  } catch (error) {
    if (error instanceof Refusal) return delivery
    throw error
  }
}

export function intentOf(entry: Entry): Intent | undefined {
  switch (entry.op) {
    case 'acceptDelivery':
    case 'pickUpDelivery':
    case 'completeDelivery':
    case 'approveDelivery':
    case 'cancelDelivery':
      return { op: entry.op }
    case 'attachProof':
      return { op: entry.op, proofOfDelivery: '' }
    default:
      return undefined
  }
}

type CreateEntry = Entry<'createDelivery' | 'createGuestDelivery'>

export const isCreate = (entry: Entry): entry is CreateEntry =>
  entry.op === 'createDelivery' || entry.op === 'createGuestDelivery'

/** A delivery the server has not heard of, as its sender asked for it. */
function askedFor(entry: CreateEntry, actor: Actor | undefined): Delivery {
  const { photo: _, ...input } = entry.input
  const guest = 'guestSecret' in input ? (input as InputOf<'createGuestDelivery'>) : undefined
  return {
    ID: entry.lane,
    status: 'Pending',
    itemDescription: input.itemDescription,
    pickupZone: input.pickupZone,
    dropoffZone: input.dropoffZone,
    recipientName: input.recipientName,
    recipientPhone: input.recipientPhone,
    offer: input.offer,
    isGuestDelivery: guest !== undefined,
    senderName: guest?.senderName,
    senderPhone: guest?.senderPhone,
    sender: actor && 'user' in actor ? contact(actor.user) : undefined,
    createdAt: entry.occurredAt,
    updatedAt: entry.occurredAt,
    history: [{ status: 'Pending', at: entry.occurredAt }],
  }
}

/** Entries that still matter to a row: unsent ones, and refused ones the person has not dealt with. */
async function liveEntries(db: SomaDb, account: string, id: string): Promise<Entry[]> {
  const all = await db.outbox.where('[account+lane]').equals([account, id]).sortBy('seq')
  return all.filter((entry) => isUnsent(entry) || entry.state === 'refused')
}

async function lanesWithEntries(db: SomaDb, account: string): Promise<Set<string>> {
  const live = ['waiting', 'sending', 'retrying', 'parked', 'refused']
  const entries = await db.outbox
    .where('[account+state]')
    .anyOf(live.map((state) => [account, state]))
    .toArray()
  return new Set(entries.map((entry) => entry.lane))
}

const towards = (actor: Actor, id: string): Actor => ('user' in actor ? actor : { guestOf: id })

/** A pull that began before an answer arrived must not undo what the answer told. */
const isOlder = (delivery: Delivery, row: DeliveryRow): boolean => {
  const known = told(row)
  return known !== undefined && delivery.updatedAt < known.updatedAt
}
