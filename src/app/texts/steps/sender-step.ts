import { approvalOf, type Delivery } from '#domain/deliveries/delivery.ts'
import { isClaimed, isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import { hasNewCode, isGuessedAt } from '#domain/deliveries/handover/delivery-code.ts'
import { isDirect, isFunded } from '#domain/deliveries/payment.ts'
import { isOverlooked } from '#domain/deliveries/transitions.ts'
import { shortPrice } from '#domain/money.ts'
import { minute } from '#domain/product.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { senderPaidText } from '../paid-texts.ts'
import {
  attemptText,
  dot,
  lastAttempt,
  lateText,
  sharesText,
  supportCancelText,
  whyOnOffer,
} from '../return-texts.ts'
import { atDueTime, dueTime } from '../time.ts'
import { driverOf, type NextStep, recipientOf, upperFirst } from './step.ts'

/** The next step of a delivery for its sender or guest, as the server has it. */
export function senderStep(row: DeliveryRow): NextStep {
  const { status, pickupZone } = row.view
  const driver = driverOf(row)
  switch (status) {
    case 'Pending':
      return unpaidStep(row) ?? offeredStep(row)
    case 'Accepted':
      return {
        title: `${upperFirst(driver)} is coming to ${pickupZone}`,
        text: 'Have the item ready.',
        action: 'call',
      }
    case 'Picked Up':
      return carriedStep(row)
    case 'Delivered':
      return deliveredStep(row)
    case 'Approved':
      return approvedStep(row)
    case 'Cancelled':
      return cancelledStep(row)
  }
}

/** Milliseconds after which a prompt that nobody has approved is called forgotten (R176). */
const promptPatience = 30 * minute

/** What a request waits for whose money the provider does not hold yet (R173); nothing of any other. */
function unpaidStep({ view }: DeliveryRow): NextStep | undefined {
  const { payment, offer } = view
  if (!payment || isFunded(view)) return undefined
  const said = saidOf(view)
  if (payment.status === 'failed')
    return {
      title: 'The payment did not go through',
      text: joined(said, 'Drivers see your request once it is paid.'),
      action: 'open',
    }
  if (payment.otp)
    return {
      title: 'Enter the voucher code',
      text: said ?? 'Your network asks for it before you can pay.',
      action: 'open',
    }
  const isForgotten = Date.now() - Date.parse(payment.at ?? '') >= promptPatience
  return {
    title: 'Approve the payment prompt',
    text: isForgotten
      ? 'Nobody has approved it for 30 minutes. Try again, use another number, or cancel.'
      : `It asks for ${shortPrice(offer)}. Drivers see your request once it is paid.`,
    action: 'open',
  }
}

function offeredStep({ view }: DeliveryRow): NextStep {
  const isLong = isOverlooked(view, Date.now())
  const why = whyOnOffer(view)
  // What has become of a higher offer (R179).
  const asked = saidOf(view)
  const text = why
    ? joined(`${why} It is on offer again.`, asked)
    : asked
      ? `Drivers see it at ${shortPrice(view.offer)}. ${asked}`
      : isLong
        ? `Drivers see it at ${shortPrice(view.offer)}. A higher offer may help.`
        : 'Drivers on this route see it.'
  return {
    title: isLong && !why ? 'Nobody has accepted yet' : 'Waiting for a driver',
    text,
    action: isLong ? 'raise' : 'open',
  }
}

function carriedStep(row: DeliveryRow): NextStep {
  const { view } = row
  const driver = upperFirst(driverOf(row))
  if (view.returning)
    return {
      title: 'Your parcel is coming back: confirm when you have it',
      text: view.disputed
        ? 'The return was not confirmed in time, so an admin decides about the payment.'
        : undefined,
      action: 'confirm return',
    }
  if (view.contested)
    return {
      title: 'You said it was not picked up',
      text: 'Support decides about the payment. You can request a new delivery.',
      action: 'open',
    }
  if (view.codeLocked)
    return {
      title: 'The delivery code is locked',
      text: hasNewCode(view)
        ? `Get a new code and share it with ${recipientOf(row)} again.`
        : `${upperFirst(recipientOf(row))} can still show the QR code.`,
      action: 'open',
    }
  const attempted = lastAttempt(view)
  if (attempted)
    return {
      title: `${driver} couldn't deliver: ${attemptText(attempted.reason)}`,
      text: view.returnFrom
        ? `${driver} tries again, or can bring it back from ${dueTime(view.returnFrom)}.`
        : `${driver} tries again.`,
      action: 'call',
    }
  return {
    title: `${driver} is on the way to ${view.dropoffZone}`,
    text: isGuessedAt(view)
      ? `Wrong codes were tried. Ask ${recipientOf(row)} and ${driverOf(row)} what happened.`
      : `${recipientOf(row)} needs the delivery code.`,
    action: 'open',
  }
}

function deliveredStep(row: DeliveryRow): NextStep {
  const { disputed, dueAt, offer } = row.view
  if (disputed)
    return {
      title: "Payment waits for an admin's decision",
      text: 'An issue was reported.',
      action: 'open',
    }
  return {
    title: isDirect(row.view)
      ? `Handed over. Pay ${driverOf(row)} ${shortPrice(offer)} and confirm`
      : `Handed over. Confirm to pay ${driverOf(row)} ${shortPrice(offer)}`,
    text: dueAt && `Approved automatically ${atDueTime(dueAt)} unless you report a problem.`,
    action: 'approve',
  }
}

function approvedStep(row: DeliveryRow): NextStep {
  const { view } = row
  const paid = senderPaidText(view, driverOf(row))
  const approval = approvalOf(view)
  const isOpen = isDirect(view) && view.disputed
  return {
    title:
      view.decision?.kind === 'release'
        ? `Decided: ${paid}`
        : approval?.automatic
          ? `Approved automatically. ${paid}`
          : approval?.by === 'office'
            ? `Approved by support. ${paid}`
            : `Done. ${paid}`,
    text: isOpen ? 'An issue was reported. Support looks into it.' : saidOf(view),
    action: 'open',
  }
}

function cancelledStep(row: DeliveryRow): NextStep {
  const { outcome, decision, offer, refundDueAt } = row.view
  const isOwed = isDirect(row.view)
  if (isClaimed(row.view))
    return {
      title: `Cancelled. Support decides about ${shortPrice(offer)}`,
      text: joined(
        lateText(row.view, upperFirst(driverOf(row))),
        isOwed ? undefined : 'The money is held until then.',
      ),
      action: 'open',
    }
  const by = supportCancelText(row.view)
  if (isHeld(row.view))
    return {
      title: isOwed
        ? "Cancelled. You owe nothing once the driver's phone has confirmed."
        : "Cancelled. Your money comes back once the driver's phone has confirmed.",
      text: joined(by, refundDueAt && `By ${dueTime(refundDueAt)} at the latest.`),
      action: 'open',
    }
  const shares = sharesText(row.view, driverOf(row))
  if (outcome === 'returned')
    return { title: 'Your parcel is back with you', text: upperFirst(shares), action: 'open' }
  if (outcome === 'split' || decision?.kind === 'refund')
    return { title: `Decided: ${shares}`, action: 'open' }
  return { title: 'Cancelled', text: joined(by, backText(row.view)), action: 'open' }
}

/** What the sender of a cancelled delivery has back, or does not owe. */
function backText(view: Delivery): string | undefined {
  const { payment, refund, offer } = view
  if (!payment) return refund === 'done' ? 'You owe nothing.' : undefined
  if (!isFunded(view)) return 'Nothing was paid.'
  const comes = payment.status === 'refunded' ? 'came' : 'comes'
  return joined(`${shortPrice(offer)} ${comes} back to you.`, saidOf(view))
}

/** What the provider says of the money, as a sentence. */
const saidOf = ({ payment }: Delivery): string | undefined =>
  payment?.message && dot(payment.message)

const joined = (...sentences: (string | undefined)[]): string | undefined =>
  sentences.filter(Boolean).join(' ') || undefined
