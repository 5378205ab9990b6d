import { approvalOf, type Delivery } from '#domain/deliveries/delivery.ts'
import { isClaimed } from '#domain/deliveries/endings/cancel-hold.ts'
import { saysPaid } from '#domain/deliveries/endings/direct-payment.ts'
import { isDirect } from '#domain/deliveries/payment.ts'
import { shortPrice } from '#domain/money.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { driverPaidText, isToAskFor, sharePaidText } from '../paid-texts.ts'
import { actedAt, attemptText, cancelText, lastAttempt, lateText } from '../return-texts.ts'
import { atDueTime, dueTime } from '../time.ts'
import { type NextStep, recipientOf, senderOf, upperFirst } from './step.ts'

/** The next step of a delivery for its driver, as the server has it. */
export function driverStep(row: DeliveryRow): NextStep {
  const { status, pickupZone } = row.view
  switch (status) {
    case 'Accepted':
      return { title: `Pick up from ${senderOf(row)} in ${pickupZone}`, action: 'pick up' }
    case 'Picked Up':
      return carriedStep(row)
    case 'Delivered':
      return deliveredStep(row)
    case 'Approved':
      return approvedStep(row)
    case 'Cancelled':
      return cancelledStep(row)
    default:
      return { title: 'Open for drivers', action: 'open' }
  }
}

function carriedStep(row: DeliveryRow): NextStep {
  const { view } = row
  if (view.returning) {
    const sender = senderOf(row)
    return {
      title: `Bring it back to ${sender}, ${view.pickupZone}`,
      text: view.disputed
        ? 'The return was not confirmed in time, so an admin decides about the payment.'
        : `${upperFirst(sender)} confirms the return, or tells you the return code.`,
      action: 'enter code',
    }
  }
  if (view.contested)
    return {
      title: `Deliver to ${recipientOf(row)} in ${view.dropoffZone}`,
      text: `${upperFirst(senderOf(row))} says that you have not picked it up. Support decides about the payment.`,
      action: 'enter code',
    }
  const attempted = lastAttempt(view)
  return {
    title: `Deliver to ${recipientOf(row)} in ${view.dropoffZone}`,
    text: attempted && `Not delivered at ${actedAt(attempted)}: ${attemptText(attempted.reason)}.`,
    action: 'enter code',
  }
}

function deliveredStep(row: DeliveryRow): NextStep {
  const { disputed, offer } = row.view
  if (disputed)
    return {
      title: "Payment waits for an admin's decision",
      text: isDirect(row.view)
        ? 'An issue was reported.'
        : `An issue was reported. ${shortPrice(offer)} is held until then.`,
      action: 'find',
    }
  return {
    title: `${shortPrice(offer)} waiting for approval`,
    text: approvalText(row),
    action: 'find',
  }
}

function approvalText(row: DeliveryRow): string {
  const { dueAt } = row.view
  const sender = upperFirst(senderOf(row))
  if (!isDirect(row.view))
    return dueAt ? `You are paid by ${dueTime(dueAt)} at the latest.` : `${sender} confirms it.`
  const approved = dueAt ? ` It is approved automatically ${atDueTime(dueAt)}.` : ''
  return `${sender} pays you and confirms it.${approved}`
}

function approvedStep(row: DeliveryRow): NextStep {
  const { view } = row
  const isDecided = view.decision?.kind === 'release'
  const title = driverPaidText(view, senderOf(row))
  if (isDirect(view) && saysPaid(view)) return { title, text: reportedText(view), action: 'find' }
  const approval = approvalOf(view)
  const isOfOffice = approval?.by === 'office'
  const why = approval?.automatic
    ? 'Approved automatically.'
    : isOfOffice
      ? 'Approved by support.'
      : undefined
  if (isToAskFor(view)) {
    const unsaid = `${upperFirst(senderOf(row))} has not said how they paid.`
    return { title, text: `${isDecided ? 'Decided for you.' : why} ${unsaid}`, action: 'find' }
  }
  return isDecided
    ? { title: `Decided: ${title}`, action: 'find' }
    : { title, text: why, action: 'find' }
}

/** What has become of money that the sender says they paid (R171). */
function reportedText({ disputed, payout }: Delivery): string | undefined {
  if (payout?.status !== 'waiting')
    return disputed ? 'An issue was reported. Support looks into it.' : undefined
  return `You did not receive it. ${disputed ? 'Support looks into it.' : 'Support has answered.'}`
}

function cancelledStep(row: DeliveryRow): NextStep {
  const { view } = row
  const { outcome, decision, offer } = view
  if (isClaimed(view))
    return {
      title: `Cancelled. Support decides about ${shortPrice(offer)}`,
      text: `${lateText(view, 'You')} It reached us after the cancel, so it did not count by itself.`,
      action: 'find',
    }
  const paid = sharePaidText(view, senderOf(row))
  if (outcome === 'returned') return { title: `Returned. ${upperFirst(paid)}`, action: 'find' }
  if (outcome === 'split' || decision?.kind === 'refund')
    return { title: `Decided: ${paid}`, action: 'find' }
  return { title: 'This job was cancelled', text: cancelText(view, 'driver'), action: 'find' }
}
