import { isClaimed } from '#domain/deliveries/endings/cancel-hold.ts'
import { priceText } from '#domain/deliveries/payment.ts'
import { shortPrice } from '#domain/money.ts'
import type { DeliveryRow } from '#store/rows.ts'
import {
  actedAt,
  attemptText,
  cancelText,
  endedShares,
  lastAttempt,
  lateText,
} from '../return-texts.ts'
import { dueTime } from '../time.ts'
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
  const { disputed, dueAt, offer } = row.view
  if (disputed)
    return {
      title: "Payment waits for an admin's decision",
      text: `An issue was reported. ${shortPrice(offer)} is held until then.`,
      action: 'find',
    }
  const sender = upperFirst(senderOf(row))
  return {
    title: `${shortPrice(offer)} waiting for approval`,
    text: dueAt ? `You are paid by ${dueTime(dueAt)} at the latest.` : `${sender} confirms it.`,
    action: 'find',
  }
}

function approvedStep({ view }: DeliveryRow): NextStep {
  const { decision, history } = view
  const paid = `${priceText(view)} paid to you`
  if (decision?.kind === 'release') return { title: `Decided: ${paid}`, action: 'find' }
  const isAutomatic = history?.findLast(({ status }) => status === 'Approved')?.automatic
  return { title: paid, text: isAutomatic ? 'Approved automatically.' : undefined, action: 'find' }
}

function cancelledStep({ view }: DeliveryRow): NextStep {
  const { outcome, decision, offer } = view
  if (isClaimed(view))
    return {
      title: `Cancelled. Support decides about ${shortPrice(offer)}`,
      text: `${lateText(view, 'You')} It reached us after the cancel, so it did not count by itself.`,
      action: 'find',
    }
  const { driver } = endedShares(view)
  const paid = driver > 0 ? `${shortPrice(driver)} paid to you` : 'nothing is paid'
  if (outcome === 'returned') return { title: `Returned. ${upperFirst(paid)}`, action: 'find' }
  if (outcome === 'split' || decision?.kind === 'refund')
    return { title: `Decided: ${paid}`, action: 'find' }
  return { title: 'This job was cancelled', text: cancelText(view, 'driver'), action: 'find' }
}
