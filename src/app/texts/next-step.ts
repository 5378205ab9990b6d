import { shortPrice } from '#domain/money.ts'
import { firstNameOf } from '#domain/users/user.ts'
import { isUnsent } from '#store/outbox/entry.ts'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'

/** What a person can do next about a delivery, with one button. */
type NextAction = 'open' | 'fix' | 'pick up' | 'enter code' | 'approve' | 'find' | 'call'

/** `title`: what to do or to wait for, in one line. `text`: what else is good to know. */
export type NextStep = {
  title: string
  text?: string
  action: NextAction
  /** The text is also said at the field that it is about, where that is on the screen. */
  isAtField?: true
}

export const waitsForSignal = "Not sent yet · sends when you're online"

/** The next step of a delivery for its sender or its driver, as far as this phone knows. */
export function nextStep(row: DeliveryRow, as: 'sender' | 'driver'): NextStep {
  const pending = row.marks.findLast((mark) => isUnsent(mark) && mark.op !== 'attachProof')
  if (pending) return pendingStep(row, pending)
  const refused = row.marks.findLast(({ state }) => state === 'refused')
  if (refused) return refusedStep(row, refused, as)
  return as === 'driver' ? driverStep(row) : senderStep(row)
}

/** The person whom a sender or a driver meets, by their first name. */
const nameOr = (name: string | undefined, otherwise: string) =>
  name ? firstNameOf(name) : otherwise

const recipientOf = ({ view }: DeliveryRow) => nameOr(view.recipientName, 'the recipient')
const driverOf = ({ view }: DeliveryRow) => nameOr(view.driver?.name, 'the driver')
const senderOf = ({ view }: DeliveryRow) =>
  nameOr(view.sender?.name ?? view.senderName, 'the sender')

function senderStep(row: DeliveryRow): NextStep {
  const { status, pickupZone, dropoffZone, offer } = row.view
  switch (status) {
    case 'Pending':
      return {
        title: 'Waiting for a driver',
        text: 'Drivers on this route see it.',
        action: 'open',
      }
    case 'Accepted':
      return {
        title: `${driverOf(row)} is coming to ${pickupZone}`,
        text: 'Have the item ready.',
        action: 'call',
      }
    case 'Picked Up':
      return {
        title: `${driverOf(row)} is on the way to ${dropoffZone}`,
        text: `${recipientOf(row)} needs the delivery code.`,
        action: 'open',
      }
    case 'Delivered':
      return {
        title: `Handed over. Confirm to pay ${driverOf(row)} ${shortPrice(offer)}`,
        action: 'approve',
      }
    case 'Approved':
      return { title: `Done. ${driverOf(row)} was paid ${shortPrice(offer)}`, action: 'open' }
    case 'Cancelled':
      return { title: 'Cancelled', action: 'open' }
  }
}

function driverStep(row: DeliveryRow): NextStep {
  const { status, pickupZone, dropoffZone, offer } = row.view
  switch (status) {
    case 'Accepted':
      return { title: `Pick up from ${senderOf(row)} in ${pickupZone}`, action: 'pick up' }
    case 'Picked Up':
      return { title: `Deliver to ${recipientOf(row)} in ${dropoffZone}`, action: 'enter code' }
    case 'Delivered':
      return {
        title: `${shortPrice(offer)} waiting for approval`,
        text: `${senderOf(row)} confirms it.`,
        action: 'find',
      }
    case 'Approved':
      return { title: `${shortPrice(offer)} paid to you`, action: 'find' }
    case 'Cancelled':
      return { title: 'This job was cancelled', action: 'find' }
    default:
      return { title: 'Open for drivers', action: 'open' }
  }
}

/** What was done on this phone and is not confirmed. */
function pendingStep(row: DeliveryRow, { op, takingBack, error }: PendingOperation): NextStep {
  const tooMany = error?.reason === 'too-many'
  if (takingBack) return { title: 'Cancelling…', text: waitsForSignal, action: 'open' }
  switch (op) {
    case 'createDelivery':
    case 'createGuestDelivery':
      return { title: waitsForSignal, action: 'open' }
    case 'acceptDelivery':
      return { title: 'Requesting this job…', text: notConfirmed, action: 'open' }
    case 'completeDelivery':
      return {
        title: "Don't hand over yet",
        text: tooMany ? error.message : 'Wait until the code is confirmed.',
        action: 'open',
      }
    case 'approveDelivery':
      return {
        title: `Payment to ${driverOf(row)} not sent yet`,
        text: "Sends when you're online.",
        action: 'open',
      }
    case 'cancelDelivery':
      return {
        title: 'Cancelling…',
        text: 'A driver can still accept it until this is sent.',
        action: 'open',
      }
    case 'pickUpDelivery':
      return { ...driverStep(row), text: `Pickup ${lowerFirst(waitsForSignal)}` }
    default:
      return { title: waitsForSignal, action: 'open' }
  }
}

export const notConfirmed = "Not confirmed yet. We'll request it when you're online."

function refusedStep(row: DeliveryRow, mark: PendingOperation, as: 'sender' | 'driver'): NextStep {
  const text = mark.error?.message
  switch (mark.op) {
    case 'createDelivery':
    case 'createGuestDelivery':
      return { title: "We couldn't post your request", text, action: 'fix' }
    case 'acceptDelivery':
      return mark.error?.reason === 'taken'
        ? { title: 'Another driver got this job first.', action: 'find' }
        : { title: 'Not accepted', text, action: 'open' }
    case 'completeDelivery':
      return { ...driverStep(row), text, isAtField: true }
    default:
      return { ...(as === 'driver' ? driverStep(row) : senderStep(row)), text, action: 'fix' }
  }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
