import * as z from 'zod/mini'
import { Status } from '#domain/deliveries/delivery.ts'
import type { Operation, OutboxEntry } from '../outbox/entry.ts'

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
  /** `status`: as it was shown when the photo was taken; missing in entries of earlier releases. */
  attachProof: z.object({ id: z.string(), photo: z.string(), status: z.optional(Status) }),
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

/** An entry of this product's outbox. */
export type Entry<O extends OutboxOp = OutboxOp> = OutboxEntry<O, InputOf<O>>

const urgent: OutboxOp[] = [
  'acceptDelivery',
  'completeDelivery',
  'pickUpDelivery',
  'approveDelivery',
  'cancelDelivery',
]

const urgencyOf = (op: string): Operation['urgency'] =>
  urgent.some((each) => each === op) ? 0 : op === 'uploadPhoto' ? 2 : 1

/** Every operation, as the outbox needs it. */
export const operations: Record<string, Operation> = Object.fromEntries(
  Object.entries(inputs).map(([op, input]) => [
    op,
    { input, urgency: urgencyOf(op), isUpload: op === 'uploadPhoto' ? true : undefined },
  ]),
)
