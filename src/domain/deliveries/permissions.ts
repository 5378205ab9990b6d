import { Refusal } from '../errors.ts'
import { contactOf, isApprovedDriver, type User } from '../users/user.ts'
import { areContactsOpen, withoutContacts } from './contacts.ts'
import { contest } from './contest.ts'
import {
  type ActionTime,
  type Actor,
  type Delivery,
  isActiveJob,
  isDriverOf,
  isSenderOf,
} from './delivery.ts'
import { renewCode } from './delivery-code.ts'
import { defaultExitTerms } from './exits.ts'
import { rate } from './rate.ts'
import { type Attempt, attempt, confirmReturn, startReturn } from './returns.ts'
import { accept, approve, attachProof, cancel, deliver, pickUp, releaseJob } from './transitions.ts'

/** What each action carries beside its delivery. `proofOfDelivery` is a photo's URL, empty while it is not uploaded. */
type Details = {
  acceptDelivery: object
  pickUpDelivery: object
  completeDelivery: object
  attachProof: { proofOfDelivery: string }
  approveDelivery: object
  cancelDelivery: object
  contestPickUp: { reason: string }
  releaseJob: { reason: string }
  /** `wait`: before the return, in milliseconds, as this phone knows it (R103). */
  reportAttempt: Attempt & { wait?: number }
  startReturn: { note?: string }
  confirmReturn: object
  rateDelivery: { stars: number; words?: string }
  renewCode: object
}

/** What a person can do to a delivery that exists. The names are also those of the queued operations. */
export type Action = keyof Details

/** An action with what it carries. */
export type DeliveryOperation = { [A in Action]: { op: A } & Details[A] }[Action]

type Rule<A extends Action> = (
  delivery: Delivery,
  actor: Actor,
  when: ActionTime,
  details: Details[A],
) => Delivery

/** The rule of each action (R24 to R28, R101 to R105, R113, R124, R125, R135), with the terms that a phone foresees. */
const rules: { [A in Action]: Rule<A> } = {
  acceptDelivery: (delivery, actor, when) => accept(delivery, personIn(actor), when),
  pickUpDelivery: (delivery, actor, when) => pickUp(delivery, personIn(actor), when),
  completeDelivery: (delivery, actor, when) => deliver(delivery, personIn(actor), when),
  attachProof: (delivery, actor, when, { proofOfDelivery }) =>
    attachProof(delivery, personIn(actor), proofOfDelivery, when.at),
  approveDelivery: approve,
  cancelDelivery: (delivery, actor, when) => cancel(delivery, actor, when),
  contestPickUp: (delivery, actor, when) => contest(delivery, actor, when.at),
  releaseJob: (delivery, actor, when, { reason }) =>
    releaseJob(delivery, personIn(actor), reason, when),
  reportAttempt: (delivery, actor, when, details) =>
    attempt(delivery, personIn(actor), details, when, {
      wait: details.wait ?? defaultExitTerms.wait,
    }),
  startReturn: (delivery, actor, when, { note }) =>
    startReturn(delivery, personIn(actor), note, when),
  confirmReturn: (delivery, actor, when) => confirmReturn(delivery, actor, when, defaultExitTerms),
  rateDelivery: (delivery, actor, when, details) => rate(delivery, actor, details, when.at),
  renewCode: (delivery, actor, when) => renewCode(delivery, actor, when),
}

/** What `can` asks the rules with. */
const samples: { [A in Action]: Details[A] } = {
  acceptDelivery: {},
  pickUpDelivery: {},
  completeDelivery: {},
  attachProof: { proofOfDelivery: '' },
  approveDelivery: {},
  cancelDelivery: {},
  contestPickUp: { reason: '' },
  releaseJob: { reason: '' },
  reportAttempt: { reason: 'absent' },
  startReturn: {},
  confirmReturn: {},
  rateDelivery: { stars: 5 },
  renewCode: {},
}

/** The delivery as the rules expect it after this operation. Throws the rule's Refusal. */
export function predict(
  delivery: Delivery,
  operation: DeliveryOperation,
  actor: Actor,
  when: ActionTime,
): Delivery {
  const rule = rules[operation.op] as Rule<Action>
  return rule(delivery, actor, when, operation)
}

/** When `can` pretends to act: no licence has expired yet, and every wait is over. */
const early = { at: '1970-01-01T00:00:00.000Z' }
const late = { at: '9999-12-31T23:59:59.999Z' }

/**
 * Whether the screen offers this action: it asks the rule itself, so that the two cannot differ. Time is left out:
 * whether a licence has expired (R114), and whether the wait before a return is over (R103).
 */
export function can(actor: Actor | undefined, action: Action, delivery: Delivery): boolean {
  if (!actor) return false
  try {
    const rule = rules[action] as Rule<Action>
    const when = action === 'startReturn' ? late : early
    rule(delivery, actor, when, samples[action] as Details[Action])
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** The part of a delivery this viewer may see (R50 to R54, R129), or `undefined` when they may not know of it. */
export function visiblePart(viewer: Actor | undefined, delivery: Delivery): Delivery | undefined {
  if (!viewer) return undefined
  if ('user' in viewer && viewer.user.role === 'admin') return delivery
  if (isSenderOf(delivery, viewer))
    return areContactsOpen(delivery) ? delivery : withoutContacts('sender', delivery)
  if (!('user' in viewer)) return undefined
  if (isDriverOf(delivery, viewer.user)) return jobOf(delivery, viewer.user)
  if (isApprovedDriver(viewer.user) && delivery.status === 'Pending') return advertOf(delivery)
  return undefined
}

/** A driver's own job. A driver who is no longer approved sees no active job, and no names or numbers of past ones (R5). */
function jobOf(delivery: Delivery, driver: User): Delivery | undefined {
  if (isApprovedDriver(driver)) return asDriverSees(delivery, driver)
  if (isActiveJob(delivery)) return undefined
  const { history, refund, refundDueAt } = delivery
  return { ...advertOf(delivery), driver: contactOf(driver), history, refund, refundDueAt }
}

/** Without the sender's codes (R50, R135), and without why earlier drivers gave the job back (R101). */
function asDriverSees(delivery: Delivery, driver: User): Delivery {
  const { deliveryCode: _, returnCode: __, wrongCodes: ___, newCodes: ____, ...rest } = delivery
  const incidents = delivery.incidents?.filter((each) => each.driver === driver.ID)
  const seen = incidents ? { ...rest, incidents } : rest
  return areContactsOpen(delivery) ? seen : withoutContacts('driver', seen)
}

/** What a driver who looks for jobs sees: item, zones, offer and photo; no name and no number (R51). */
export function advertOf(delivery: Delivery): Delivery {
  return {
    ID: delivery.ID,
    status: delivery.status,
    itemDescription: delivery.itemDescription,
    pickupZone: delivery.pickupZone,
    dropoffZone: delivery.dropoffZone,
    offer: delivery.offer,
    itemPhoto: delivery.itemPhoto,
    isGuestDelivery: delivery.isGuestDelivery,
    createdAt: delivery.createdAt,
    updatedAt: delivery.updatedAt,
  }
}

function personIn(actor: Actor): User {
  if (!('user' in actor)) throw new Refusal('not-allowed')
  return actor.user
}
