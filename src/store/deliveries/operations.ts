import * as z from 'zod/mini'
import { Status } from '#domain/deliveries/delivery.ts'
import { AttemptReason, DecisionKind } from '#domain/deliveries/exits.ts'
import { Place } from '#domain/deliveries/place.ts'
import { NotifiedRoute, QuietHours } from '#domain/notifications/settings.ts'
import type { Operation, OutboxEntry } from '../outbox/entry.ts'

/** What a request carries since hand-overs are proved and doors are found (R110 to R112). */
const handover = {
  handoverHash: z.optional(z.string()),
  trackHash: z.optional(z.string()),
  pickupPlace: z.optional(Place),
  dropoffPlace: z.optional(Place),
}

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
    ...handover,
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
    ...handover,
  }),
  acceptDelivery: z.object({ id: z.string() }),
  pickUpDelivery: z.object({ id: z.string() }),
  /**
   * Either the digits or the secret of the QR code (R25, R110). `returning`: the parcel was on its way back, so
   * that the code may be the sender's own (R105).
   */
  completeDelivery: z.object({
    id: z.string(),
    code: z.optional(z.string()),
    handoverSecret: z.optional(z.string()),
    returning: z.optional(z.literal(true)),
  }),
  /** `status`: as it was shown when the photo was taken; missing in entries of earlier releases. */
  attachProof: z.object({ id: z.string(), photo: z.string(), status: z.optional(Status) }),
  approveDelivery: z.object({ id: z.string() }),
  cancelDelivery: z.object({ id: z.string() }),
  /** Queued by the engine (S63). */
  acknowledgeCancel: z.object({ id: z.string() }),
  contestPickUp: z.object({ id: z.string(), reason: z.string() }),
  releaseJob: z.object({ id: z.string(), reason: z.string() }),
  reportAttempt: z.object({
    id: z.string(),
    reason: AttemptReason,
    note: z.optional(z.string()),
    photo: z.optional(z.string()),
    /** Milliseconds before the return, as foreseen on this phone (R103): no request has it. */
    wait: z.optional(z.number()),
  }),
  startReturn: z.object({ id: z.string(), note: z.optional(z.string()) }),
  confirmReturn: z.object({ id: z.string() }),
  /** `newCodes`: how often there had been a new one. */
  renewCode: z.object({ id: z.string(), newCodes: z.number() }),
  rateDelivery: z.object({ id: z.string(), stars: z.number(), words: z.optional(z.string()) }),
  reportIssue: z.object({
    id: z.string(),
    issue: z.string(),
    type: z.enum(['sender_issue', 'driver_issue']),
  }),
  /** `keeps`: the number that counts is asked for again, which takes back a change not yet confirmed. */
  changePhone: z.object({ phone_number: z.string(), keeps: z.optional(z.literal(true)) }),
  endSession: z.object({ id: z.string() }),
  /** The decision on the driver, or on their changed licence (R139). */
  reviewDriver: z.object({
    id: z.string(),
    status: z.optional(z.enum(['approved', 'rejected'])),
    licence: z.optional(z.enum(['accepted', 'refused'])),
    name: z.string(),
  }),
  resolveDispute: z.object({
    id: z.string(),
    resolution: z.string(),
    decision: z.optional(DecisionKind),
    driverShare: z.optional(z.number()),
  }),
  /** What a driver shows to senders (R114). `photo`: on this phone; empty fields are removed. */
  changeDriverCard: z.object({
    photo: z.optional(z.string()),
    licenceNumber: z.optional(z.string()),
    licenceExpires: z.optional(z.string()),
  }),
  /** What a person is told of with the app closed (R121). */
  changeNotifications: z.object({
    kinds: z.optional(z.record(z.string(), z.boolean())),
    routes: z.optional(z.array(NotifiedRoute)),
    quiet: z.optional(QuietHours),
  }),
  addZone: z.object({ name: z.string() }),
  removeZone: z.object({ id: z.string(), name: z.string() }),
  addItem: z.object({ name: z.string() }),
  removeItem: z.object({ id: z.string(), name: z.string() }),
}
export type OutboxOp = keyof typeof inputs
export type InputOf<O extends OutboxOp> = z.infer<(typeof inputs)[O]>

/** An entry of this product's outbox. */
export type Entry<O extends OutboxOp = OutboxOp> = OutboxEntry<O, InputOf<O>>

const urgent: OutboxOp[] = [
  'acceptDelivery',
  'completeDelivery',
  'pickUpDelivery',
  'approveDelivery',
  'cancelDelivery',
  'contestPickUp',
  'releaseJob',
  'reportAttempt',
  'startReturn',
  'confirmReturn',
  'renewCode',
]

const urgencyOf = (op: string): Operation['urgency'] =>
  urgent.some((each) => each === op) ? 0 : op === 'uploadPhoto' ? 2 : 1

/** Every operation, as the outbox needs it. */
export const operations: Record<string, Operation> = Object.fromEntries(
  Object.entries(inputs).map(([op, input]) => [
    op,
    {
      input,
      urgency: urgencyOf(op),
      isUpload: op === 'uploadPhoto' ? true : undefined,
      // A code at the door waits for no photo.
      isAside: op === 'attachProof' ? true : undefined,
    },
  ]),
)
