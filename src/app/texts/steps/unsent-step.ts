import { isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import { howPaid, isDirect, isUnpaid, priceText } from '#domain/deliveries/payment.ts'
import { shortPrice } from '#domain/money.ts'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'
import { dueTime } from '../time.ts'
import { driverStep } from './driver-step.ts'
import { senderStep } from './sender-step.ts'
import { driverOf, lowerFirst, type NextStep } from './step.ts'

export const waitsForSignal = "Not sent yet · sends when you're online"
const proofWaits = "Saved on this phone. Sends when you're online."
export const notConfirmed = "Not confirmed yet. We'll request it when you're online."

/** Why what was done on this phone is not sent; `wifi`: its photo waits for Wi-Fi (S62). */
export type Unsent = 'offline' | 'sending' | 'undoable' | 'wifi' | 'login' | 'paused' | 'retrying'

const untilSent: Record<Exclude<Unsent, 'offline' | 'sending'>, string> = {
  undoable: 'you can still undo it',
  wifi: 'sends on Wi-Fi',
  login: 'sends when you log in',
  paused: 'sends when requests are taken again',
  retrying: 'trying again',
}

/** `Pickup not sent yet · sends when you're online`, as it is said for another reason: `Sending pickup…`. */
export function saidOfUnsent(text: string, why: Unsent): string {
  if (why === 'offline') return text
  if (why === 'sending' && text === proofWaits) return 'Saved on this phone. Sending…'
  if (why === 'sending' && text === notConfirmed) return 'Not confirmed yet.'
  const [, what, reason] = /^(?:(.+) n|N)ot sent yet · (sends when you're online)$/.exec(text) ?? []
  if (!reason) return text
  if (why === 'sending') return what ? `Sending ${lowerFirst(what)}…` : 'Sending…'
  return text.replace(reason, untilSent[why])
}

/** The next step while something that was done on this phone is not confirmed. */
export function pendingStep(row: DeliveryRow, mark: PendingOperation): NextStep {
  const { op, withdrawal } = mark
  if (withdrawal === 'unknown')
    return { title: 'It may have arrived', text: "It couldn't be cancelled.", action: 'open' }
  if (withdrawal) return { title: 'Cancelling…', text: waitsForSignal, action: 'open' }
  switch (op) {
    case 'createDelivery':
    case 'createGuestDelivery':
      return { title: waitsForSignal, action: 'open' }
    case 'acceptDelivery':
      return { title: 'Requesting this job…', text: notConfirmed, action: 'open' }
    case 'completeDelivery':
      if (mark.proved) return { title: 'Right code. Hand over.', text: proofWaits, action: 'open' }
      return codeStep(row)
    case 'approveDelivery':
      return {
        title: isDirect(row.view)
          ? `You paid ${driverOf(row)} ${priceText(row.view)}${howPaid(row.view)}`
          : `Payment to ${driverOf(row)}`,
        text: waitsForSignal,
        action: 'open',
      }
    case 'cancelDelivery':
      return { title: 'Cancelling…', text: cancellingText(row), action: 'open' }
    case 'pickUpDelivery':
      return { ...driverStep(row), text: `Pickup ${lowerFirst(waitsForSignal)}` }
    case 'raiseOffer':
      return { ...senderStep(row), text: `New offer ${lowerFirst(waitsForSignal)}`, action: 'open' }
    case 'contestPickUp':
      return { ...senderStep(row), text: `Report ${lowerFirst(waitsForSignal)}` }
    case 'releaseJob':
      return { title: 'Giving the job back…', text: waitsForSignal, action: 'open' }
    case 'reportAttempt':
      return { ...driverStep(row), text: `Report ${lowerFirst(waitsForSignal)}` }
    case 'reportUnpaid':
      return { ...driverStep(row), text: `Report ${lowerFirst(waitsForSignal)}` }
    case 'startReturn':
      return { ...driverStep(row), text: `Return ${lowerFirst(waitsForSignal)}` }
    case 'confirmReturn':
      return { title: 'Confirming the return…', text: waitsForSignal, action: 'open' }
    case 'renewCode':
      return { title: 'Getting a new code…', text: waitsForSignal, action: 'open' }
    default:
      return { title: waitsForSignal, action: 'open' }
  }
}

/** What a driver did before they heard of the cancel; only the first two can still count (R124). */
const doneBefore: Record<string, string> = {
  pickUpDelivery: 'picked it up',
  completeDelivery: 'handed it over',
  releaseJob: 'gave it back',
}

/** The job was cancelled, and what its driver did before is not sent yet (R124). */
export function lateStep({ view }: DeliveryRow, { op }: PendingOperation): NextStep {
  const canCount = op === 'pickUpDelivery' || op === 'completeDelivery'
  const next = !canCount
    ? 'It changes nothing any more.'
    : isHeld(view)
      ? `Support then decides about ${shortPrice(view.offer)}.`
      : isDirect(view)
        ? 'The sender owes nothing. Report an issue if you should be paid.'
        : 'The money has gone back to the sender. Report an issue if it is yours.'
  return {
    title: 'Cancelled while you were offline',
    text: `You ${doneBefore[op] ?? 'reported on it'} before you heard of it. ${waitsForSignal}. ${next}`,
    action: 'find',
  }
}

function codeStep({ view }: DeliveryRow): NextStep {
  const isReturn = view.returning !== undefined
  return {
    title: isReturn ? "Don't leave the parcel yet" : "Don't hand over yet",
    text: 'Wait until the code is confirmed.',
    action: 'open',
  }
}

function cancellingText(row: DeliveryRow): string {
  const server = serverView(row)
  if (isUnpaid(server))
    return 'If you approve the prompt before this is sent, it comes back to you.'
  return server.status === 'Accepted'
    ? `Until this is sent, ${driverOf(row)} can still pick it up.`
    : 'A driver can still accept it until this is sent.'
}

const serverView = ({ server, view }: DeliveryRow) => server ?? view

/** The next step after something that was done on this phone was refused. */
export function refusedStep(
  row: DeliveryRow,
  mark: PendingOperation,
  as: 'sender' | 'driver',
): NextStep {
  const text = mark.error?.message
  switch (mark.op) {
    case 'createDelivery':
    case 'createGuestDelivery':
      return { title: "We couldn't post your request", text, action: 'fix' }
    case 'acceptDelivery':
      return mark.error?.reason === 'taken'
        ? { title: 'Another driver got this job first.', action: 'find' }
        : { title: 'Not accepted', text, action: 'open' }
    case 'pickUpDelivery':
    case 'completeDelivery':
      if (isTooLate(row, mark)) return { ...driverStep(row), text: tooLateText, action: 'open' }
      // Of a cancelled job there is no field to say it at.
      return mark.op === 'pickUpDelivery' || row.view.status === 'Cancelled'
        ? { ...driverStep(row), text, action: 'open' }
        : { ...driverStep(row), text, isAtField: true }
    case 'startReturn':
      return { ...driverStep(row), text: tooEarly(row, mark) ?? text, action: 'open' }
    default:
      return { ...(as === 'driver' ? driverStep(row) : senderStep(row)), text, action: 'open' }
  }
}

const tooLateText =
  'What you did came after the cancel, so it did not count. Report an issue if you did it before.'

/** Done, or said to be done, after the job was cancelled (R124). */
const isTooLate = ({ view }: DeliveryRow, { error }: PendingOperation): boolean =>
  view.status === 'Cancelled' && error?.reason === 'wrong-status'

/** The server began the wait later than this phone did: it says from when on the return counts (R103). */
function tooEarly({ view }: DeliveryRow, { error }: PendingOperation): string | undefined {
  if (error?.reason !== 'wait' || !view.returnFrom) return undefined
  return `Too early to return it. You can from ${dueTime(view.returnFrom)}.`
}
