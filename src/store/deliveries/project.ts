import {
  type Actor,
  type Delivery,
  isActiveDelivery,
  isActiveJob,
  isDriverOf,
  isSenderOf,
} from '#domain/deliveries/delivery.ts'
import { isClaimed, isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import { itemDetailsOf } from '#domain/deliveries/item.ts'
import { Refusal } from '#domain/errors.ts'
import { contactOf, isOffice, type User } from '#domain/users/user.ts'
import type { DeliveryOperation, InputOf } from '#operations/index.ts'
import { isForeseen, predict } from '#operations/rules.ts'
import { isUnsent, needsUpdate } from '#sync/database/entry.ts'
import type { Entry } from '../entries/operations.ts'
import type { DeliveryRow, PendingOperation } from '../rows.ts'
import { isChangedByOther } from './changed-by-other.ts'
import { rowVersion, serverRow } from './row-schema.ts'

/*
 * One row of the view, from the server's row and the pending operations. All of it is
 * pure; `rows.ts` reads and writes.
 */

/** When a response came, and when it was asked for, if it is all there is (S53): as `RowChanges` has them. */
type ResponseTimes = { serverAt?: number; askedAt?: number }

/** The row of the view (S5, S6), or `undefined` when neither server nor outbox has the delivery any more. Pure. */
export function projectRow(
  account: string,
  old: DeliveryRow | undefined,
  fromServer: Delivery | undefined,
  entries: Entry[],
  actor: Actor | undefined,
  { serverAt, askedAt }: ResponseTimes = {},
): DeliveryRow | undefined {
  if (old?.gone && !fromServer && entries.length === 0) return undefined
  const stored = old && serverRow(old)
  const isLaterKept = askedAt === undefined || isBroughtSince(old, { askedAt, serverAt })
  const server = isLaterKept ? later(fromServer, stored) : (fromServer ?? stored)
  // What a newer version asks for is not known here: its request is in the outbox alone (S57).
  const create = entries.filter(isCreate).find((entry) => !needsUpdate(entry))
  if (server) {
    const isBrought = server === fromServer
    return {
      ...applyPending(account, server, entries, actor),
      photo: old?.photo,
      serverAt: isBrought ? serverAt : old?.serverAt,
      gone: fromServer ? undefined : old?.gone,
      unseen:
        isBrought && isChangedByOther(actor, server, old && expectedView(old), stored)
          ? 1
          : old?.unseen,
    }
  }
  return create && localOnlyRow(create, entries, actor)
}

/**
 * Whether a response has brought this row since another one was asked for (S78). A time later than that one
 * came was noted before the device's clock was set back, by a page that is closed (S46).
 */
export function isBroughtSince(
  row: { serverAt?: number } | undefined,
  { askedAt, serverAt = Number.POSITIVE_INFINITY }: { askedAt: number; serverAt?: number },
): boolean {
  const broughtAt = row?.serverAt ?? 0
  return broughtAt > askedAt && broughtAt <= serverAt
}

/** The row in whose lane these are the only entries. */
export const projectLane = (
  row: DeliveryRow,
  entries: Entry[],
  actor: Actor | undefined,
): DeliveryRow | undefined => projectRow(row.account, row, undefined, entries, actor)

/** The row of a delivery that was asked for this moment: nothing else can be known of it. */
export const createdRow = (create: Entry, user: User | undefined): DeliveryRow =>
  localOnlyRow(
    create as CreateEntry,
    [create],
    user && create.account === user.ID ? { user } : { guestOf: create.lane },
  )

function localOnlyRow(
  create: CreateEntry,
  entries: Entry[],
  actor: Actor | undefined,
): DeliveryRow {
  const row = applyPending(create.account, requestedDelivery(create, actor), entries, actor)
  return { ...row, known: false, photo: create.input.photo, server: undefined }
}

/**
 * A pull that began before a response arrived must not overwrite it (S20). Whichever counts is taken whole: what the
 * server shows no longer, such as contacts after the end, stays nowhere (S66).
 */
const later = (pulled: Delivery | undefined, stored: Delivery | undefined): Delivery | undefined =>
  pulled && stored && pulled.updatedAt < stored.updatedAt ? stored : (pulled ?? stored)

/** Asked for on this phone, and the server would not have it. */
export const wasCreateRefused = ({ known, marks }: DeliveryRow): boolean =>
  !known && marks[0]?.state === 'refused'

/** The digits that the driver has typed and nobody has checked yet: they have handed nothing over. */
export const uncheckedCode = ({ marks }: DeliveryRow): PendingOperation | undefined =>
  marks.find((mark) => mark.op === 'completeDelivery' && isUnsent(mark) && !mark.proved)

/** The delivery once what is pending has arrived: unchecked digits are right, or what depends on them is refused. */
export const expectedView = (row: DeliveryRow): Delivery =>
  uncheckedCode(row) ? { ...row.view, status: 'Delivered' } : row.view

/** Pure: one row from the server's row and the pending operations. */
function applyPending(
  account: string,
  base: Delivery,
  entries: Entry[],
  actor: Actor | undefined,
): DeliveryRow {
  const view = entries
    .filter((entry) => isUnsent(entry) && !needsUpdate(entry) && !isUnchecked(entry))
    .reduce((row, entry) => applyIntent(row, entry, actor), base)
  const marks = entries.map(pendingOperationOf)
  const refusedCreate = entries.some((entry) => isCreate(entry) && entry.state === 'refused')
  return {
    v: rowVersion,
    account,
    ID: base.ID,
    view,
    server: marks.length > 0 ? base : undefined,
    known: true,
    marks,
    active: refusedCreate ? undefined : activeRow(view, base, actor),
    ...listMembership(base, actor),
  }
}

/** A row does not show that an entry is being sent: that saves two writes. */
const pendingOperationOf = (entry: Entry): PendingOperation => ({
  entry: entry.id,
  op: entry.op,
  state: entry.state === 'sending' ? 'waiting' : entry.state,
  error: entry.error,
  withdrawal: entry.withdrawal,
  ...(isProof(entry) ? { proved: true } : {}),
})

/** Whether the entry proves a hand-over by its secret (R110), and not by the digits. */
const isProof = ({ op, input }: Entry): boolean =>
  op === 'completeDelivery' && 'handoverSecret' in input && input.handoverSecret !== undefined

/** Only the server can check digits: until then the driver still stands at the door (R50). */
const isUnchecked = (entry: Entry): boolean => entry.op === 'completeDelivery' && !isProof(entry)

/** In which lists a delivery stands for this person, and sorted by what. */
function listMembership(delivery: Delivery, actor: Actor | undefined): Partial<DeliveryRow> {
  const at = delivery.createdAt
  if (!actor) return {}
  if (!('user' in actor)) return isSenderOf(delivery, actor) ? { sentAt: at } : {}
  const { user } = actor
  if (isOffice(user)) return { adminAt: at }
  if (isSenderOf(delivery, actor)) return { sentAt: at }
  if (isDriverOf(delivery, user)) return { jobAt: at }
  return user.role === 'driver' && delivery.status === 'Pending' ? { openAt: at } : {}
}

/** What is over as foreseen alone is as active as the server has it. */
function activeRow(view: Delivery, base: Delivery, actor: Actor | undefined) {
  const [foreseen, confirmed] = [activeAs(view, actor), activeAs(base, actor)]
  return foreseen === 'unpaid' || !foreseen ? (confirmed ?? foreseen) : foreseen
}

function activeAs(view: Delivery, actor: Actor | undefined): DeliveryRow['active'] {
  if (!actor) return undefined
  if (isSenderOf(view, actor)) return isActiveDelivery(view) ? 'delivery' : undefined
  if (!('user' in actor) || !isDriverOf(view, actor.user)) return undefined
  if (isActiveJob(view)) return 'job'
  if (isHeld(view) && !isClaimed(view)) return 'held'
  return view.status === 'Delivered' ? 'unpaid' : undefined
}

/** An operation that the rules no longer allow changes nothing in the view; the server's refusal gives the reason. */
function applyIntent(delivery: Delivery, entry: Entry, actor: Actor | undefined): Delivery {
  const intent = intentOf(entry)
  if (!intent || !actor) return delivery
  try {
    return predict(delivery, intent, actor, { at: entry.occurredAt, occurredAt: entry.occurredAt })
  } catch (error) {
    if (error instanceof Refusal) return delivery
    throw error
  }
}

/** The operation of an entry as the rules take it; nothing when it changes no delivery on the screen. */
export const intentOf = ({ op, input }: Entry): DeliveryOperation | undefined =>
  isForeseen(op) ? ({ ...input, op } as DeliveryOperation) : undefined

type CreateEntry = Entry<'createDelivery' | 'createGuestDelivery'>

/** Whether the entry creates a delivery. */
export const isCreate = (entry: Entry): entry is CreateEntry =>
  entry.op === 'createDelivery' || entry.op === 'createGuestDelivery'

/** A delivery the server does not know yet, as its sender asked for it. */
function requestedDelivery(entry: CreateEntry, actor: Actor | undefined): Delivery {
  const { photo: _, ...input } = entry.input
  const guest = 'guestSecret' in input ? (input as InputOf<'createGuestDelivery'>) : undefined
  return {
    ID: entry.lane,
    status: 'Pending',
    itemDescription: input.itemDescription,
    ...itemDetailsOf(input),
    pickupZone: input.pickupZone,
    dropoffZone: input.dropoffZone,
    recipientName: input.recipientName,
    recipientPhone: input.recipientPhone,
    offer: input.offer,
    // Drivers see it once it is paid, so that its offer cannot be raised before (R173).
    payment: input.payer && { status: 'waiting' },
    pickupPlace: input.pickupPlace,
    dropoffPlace: input.dropoffPlace,
    handoverHash: input.handoverHash,
    isGuestDelivery: guest !== undefined,
    senderName: guest?.senderName,
    senderPhone: guest?.senderPhone,
    sender: actor && 'user' in actor ? contactOf(actor.user) : undefined,
    createdAt: entry.occurredAt,
    updatedAt: entry.occurredAt,
    history: [{ status: 'Pending', at: entry.occurredAt }],
  }
}
