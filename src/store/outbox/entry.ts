import * as z from 'zod/mini'
import type { Reason } from '#domain/errors.ts'

/*
 * The outbox entry (design: "The outbox").
 *
 *   waiting ──▶ sending ──▶ done        kept 72 h for the person to see
 *      ▲           ├──────▶ retrying    nobody answered: same key, later
 *      │           ├──────▶ refused     somebody said no: needs the person
 *      │           └──────▶ parked      eight server failures: one try a day
 *      └── cancelled                    the person took it back before it left
 */

/** One name for each intent, all the way from the button to the server's effect. */
export const inputs = {
  uploadPhoto: z.object({ photo: z.string() }),
  createDelivery: z.object({
    itemDescription: z.string(),
    pickupZone: z.string(),
    dropoffZone: z.string(),
    recipientName: z.string(),
    recipientPhone: z.string(),
    offer: z.number(),
    photo: z.string(),
  }),
  createGuestDelivery: z.object({
    itemDescription: z.string(),
    pickupZone: z.string(),
    dropoffZone: z.string(),
    recipientName: z.string(),
    recipientPhone: z.string(),
    offer: z.number(),
    photo: z.string(),
    senderName: z.string(),
    senderPhone: z.string(),
    guestSecret: z.string(),
  }),
  acceptDelivery: z.object({ id: z.string() }),
  pickUpDelivery: z.object({ id: z.string() }),
  completeDelivery: z.object({ id: z.string(), code: z.string() }),
  attachProof: z.object({ id: z.string(), photo: z.string() }),
  approveDelivery: z.object({ id: z.string() }),
  cancelDelivery: z.object({ id: z.string() }),
  reportIssue: z.object({
    id: z.string(),
    issue: z.string(),
    type: z.enum(['sender_issue', 'driver_issue']),
  }),
  /** `keeps`: the number that counts is asked for again, which takes back a change not yet confirmed. */
  changePhone: z.object({ phone_number: z.string(), keeps: z.optional(z.literal(true)) }),
  endSession: z.object({ id: z.string() }),
  reviewDriver: z.object({
    id: z.string(),
    status: z.enum(['approved', 'rejected']),
    name: z.string(),
  }),
  resolveDispute: z.object({ id: z.string(), resolution: z.string() }),
  addZone: z.object({ name: z.string() }),
  removeZone: z.object({ id: z.string(), name: z.string() }),
  addItem: z.object({ name: z.string() }),
  removeItem: z.object({ id: z.string(), name: z.string() }),
}
export type OutboxOp = keyof typeof inputs
export type InputOf<O extends OutboxOp> = z.infer<(typeof inputs)[O]>

/** To be raised when an entry's shape changes, with the way from the one before in `upgrades.ts`. */
export const entryVersion = 2

export type EntryState =
  | 'waiting'
  | 'sending'
  | 'retrying'
  | 'done'
  | 'refused'
  | 'parked'
  | 'cancelled'

export type Entry<O extends OutboxOp = OutboxOp> = {
  /** Given by the database: the only order there is. */
  seq: number
  /** UUIDv7: the request key, the same for the life of the entry. */
  id: string
  account: string
  op: O
  v: number
  /** Delivery ID, or another subject; entries of one lane leave in order, one at a time. */
  lane: string
  /** Entries that must be done before this one may leave. */
  after: string[]
  input: InputOf<O>
  photos: string[]
  state: EntryState
  /** Tries nobody answered; they make the wait longer, never an end. */
  attempts: number
  /** Answers that were the server's own failure (5xx); eight of them park the entry. */
  failures: number
  /** Milliseconds since 1970 before which it is not tried again. */
  nextAt: number
  /** The server itself named `nextAt` (Retry-After): not even a new network makes it sooner. */
  held?: boolean
  lease?: { holder: string; until: number }
  /** A request for it has left, or may have: nobody here knows whether it arrived. */
  left?: boolean
  error?: { reason: Reason; message: string; because?: string }
  /** ISO time at which the person acted, by this device's clock. */
  occurredAt: string
  /** When it reached its end, milliseconds since 1970. */
  endedAt?: number
  /** 1 while its outcome has not been shown to the person; indexed, so absent when seen. */
  unseen?: 1
  /** What to call it in a list: the item's description, a driver's name, a zone. */
  title: string
}

/** States in which an entry still means to reach the server. */
export const unsentStates: readonly EntryState[] = ['waiting', 'sending', 'retrying', 'parked']

export const isUnsent = (entry: { state: EntryState }) => unsentStates.includes(entry.state)
