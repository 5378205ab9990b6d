import * as z from 'zod/mini'
import { Payment } from '../payment-fields.ts'
import { Ratings } from '../users/rating.ts'
import { Contact, type User } from '../users/user.ts'
import { Decision, Incident } from './endings/incidents.ts'
import { ItemDetails } from './item.ts'
import { Place } from './places/place.ts'

export const Status = z.enum([
  'Pending',
  'Accepted',
  'Picked Up',
  'Delivered',
  'Approved',
  'Cancelled',
])
export type Status = z.infer<typeof Status>

/** A value for each status. */
export const byStatus = <T>(of: (status: Status) => T): Record<Status, T> =>
  Object.fromEntries(Status.options.map((status) => [status, of(status)])) as Record<Status, T>

/** The five statuses of the timeline, in order (R23). */
export const timelineStatuses = [
  'Pending',
  'Accepted',
  'Picked Up',
  'Delivered',
  'Approved',
] as const

/**
 * One change of status. `at`: the server's time of receipt; `occurredAt`: when the person says they acted (R31);
 * `effectiveAt`: from when on it counts, where they said so (R133).
 */
export const StatusChange = z.object({
  status: Status,
  at: z.string(),
  occurredAt: z.optional(z.string()),
  effectiveAt: z.optional(z.string()),
  /** The server approved it, not its sender (R106). */
  automatic: z.optional(z.boolean()),
  /** The driver did it before the cancel, and reported it after: the status did not change. */
  late: z.optional(z.boolean()),
  /** `office`: an admin did it. Missing: one of its parties, or the server. */
  by: z.optional(z.string()),
  /** Why it was cancelled, or the office did it, in words of whoever did it (R161, R191). */
  reason: z.optional(z.string()),
  /** The offer was raised to this many cedis; the status stayed Pending (R169). */
  offer: z.optional(z.number()),
  /** The office corrected these fields of the delivery; the status stayed as it was (R193). */
  corrected: z.optional(z.array(z.string())),
})
export type StatusChange = z.infer<typeof StatusChange>

/** A delivery, as much of it as its reader may see (R50 to R52). Times are ISO 8601. */
export const Delivery = z.object({
  ID: z.string(),
  status: Status,
  itemDescription: z.string(),
  ...ItemDetails.shape,
  pickupZone: z.string(),
  dropoffZone: z.string(),
  ...Payment.shape,
  itemPhoto: z.optional(z.string()),
  proofOfDelivery: z.optional(z.string()),
  recipientName: z.optional(z.string()),
  recipientPhone: z.optional(z.string()),
  deliveryCode: z.optional(z.string()),
  isGuestDelivery: z.boolean(),
  senderName: z.optional(z.string()),
  senderPhone: z.optional(z.string()),
  sender: z.optional(Contact),
  driver: z.optional(Contact),
  createdAt: z.string(),
  updatedAt: z.string(),
  history: z.optional(z.array(StatusChange)),
  pickupPlace: z.optional(Place),
  dropoffPlace: z.optional(Place),
  /** So many wrong ones were tried that the code works no longer (R135). */
  codeLocked: z.optional(z.boolean()),
  /** Only in a list of jobs on a way: the kilometres that the job adds to it (R164). Older servers do not send it. */
  detourKm: z.optional(z.number()),
  /** Wrong tries of this code, and how often there was a new one: for its sender and admins (R135). */
  wrongCodes: z.optional(z.number()),
  newCodes: z.optional(z.number()),
  /** SHA-256 of the secret that proves the hand-over (R110). */
  handoverHash: z.optional(z.string()),
  /** How often the driver could not hand it over (R102). */
  attempts: z.optional(z.number()),
  incidents: z.optional(z.array(Incident)),
  /** From when on the driver can return it (R103). */
  returnFrom: z.optional(z.string()),
  /** The driver brings it back to the sender (R104). */
  returning: z.optional(z.object({ at: z.string(), reason: z.string() })),
  /** The sender's own code, by which the driver proves the return (R105). */
  returnCode: z.optional(z.string()),
  /** When the server approves it, or asks an admin about its return (R106). */
  dueAt: z.optional(z.string()),
  /** An issue about it is open, so that it is not approved (R108). */
  disputed: z.optional(z.boolean()),
  /** How a cancelled delivery ended, where that is not with a full refund. */
  outcome: z.optional(z.string()),
  decision: z.optional(Decision),
  /** The sender says that the pick-up did not happen, and may request anew. */
  contested: z.optional(z.boolean()),
  /** Its sender is suspended, so that no driver sees it while it is Pending (R199). */
  withheld: z.optional(z.boolean()),
  ratings: z.optional(Ratings),
})
export type Delivery = z.infer<typeof Delivery>

/** Whether the delivery came to this status by the step: by a raised offer or a correction it did not. */
export const isStatusStep = ({ offer, corrected }: StatusChange): boolean =>
  offer === undefined && corrected === undefined

/** The step that approved it. */
export const approvalOf = ({ history }: Pick<Delivery, 'history'>): StatusChange | undefined =>
  history?.findLast((step) => step.status === 'Approved' && isStatusStep(step))

/** Who acts: a person with an account, or the guest who holds the guest token of this delivery (R1). */
export type Actor = { user: User } | { guestOf: string }

/** When an action happened, ISO 8601. `at`: the server's clock, or the phone's in a prediction (R31). */
export type ActionTime = { at: string; occurredAt?: string }

/** A driver has at most one such job (R29). */
export const isActiveJob = (delivery: { status: Status }): boolean =>
  delivery.status === 'Accepted' || delivery.status === 'Picked Up'

/** Whether it goes on: it is neither Approved nor Cancelled. */
export const isActiveDelivery = (delivery: { status: Status }): boolean =>
  delivery.status !== 'Approved' && delivery.status !== 'Cancelled'

/** Whether drivers may accept it: none has it, its money is held where a provider holds it (R173), and its sender is not suspended (R199). */
export const isOnOffer = ({
  status,
  payment,
  withheld,
}: Pick<Delivery, 'status' | 'payment' | 'withheld'>): boolean =>
  status === 'Pending' && !withheld && (!payment || payment.status === 'held')

/**
 * Whether no driver has had it yet. One that was accepted and given back is Pending too, and its driver knows
 * its key, names and places (R130).
 */
export const isUnseen = ({ status, history = [] }: Pick<Delivery, 'status' | 'history'>): boolean =>
  status === 'Pending' && !history.some((change) => change.status === 'Accepted')

/** A sender has at most one such delivery (R30): one whose pick-up they contest does not count (R125). */
export const isOnlyDelivery = (delivery: Pick<Delivery, 'status' | 'contested'>): boolean =>
  isActiveDelivery(delivery) && !delivery.contested

/** Whether the actor made the request: its account, or the guest who holds its token (R54). */
export const isSenderOf = (delivery: Delivery, actor: Actor): boolean =>
  'guestOf' in actor
    ? delivery.isGuestDelivery && actor.guestOf === delivery.ID
    : delivery.sender !== undefined && delivery.sender.id === actor.user.ID

/** Whether the user drives this delivery (R25). */
export const isDriverOf = (delivery: Delivery, user: User): boolean =>
  delivery.driver !== undefined && delivery.driver.id === user.ID

/** Whether the actor is its sender, its guest or its driver (R52). */
export const isPartyTo = (delivery: Delivery, actor: Actor): boolean =>
  isSenderOf(delivery, actor) || ('user' in actor && isDriverOf(delivery, actor.user))
