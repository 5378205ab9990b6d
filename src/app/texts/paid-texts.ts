import type { Delivery } from '#domain/deliveries/delivery.ts'
import { saysPaid } from '#domain/deliveries/endings/direct-payment.ts'
import { howPaid, isDirect, partOf, priceText, totalOf } from '#domain/deliveries/payment.ts'
import { shortPrice, toCedis, toPesewas } from '#domain/money.ts'
import { upperFirst } from './steps/step.ts'

/* What each side reads of an approved delivery: who has paid whom, or has to (R171). */

/** `You paid Kofi ₵60 by mobile money`, `Pay Kofi ₵60 if you haven't yet`, or `Kofi gets ₵60`. */
export function senderPaidText(view: Delivery, driver: string): string {
  if (!isDirect(view)) return withBack(view, `${upperFirst(driver)} gets ${partText(view)}`)
  return saysPaid(view)
    ? `You paid ${driver} ${priceText(view)}${howPaid(view)}`
    : `Pay ${driver} ${shortPrice(totalOf(view))} if you haven't yet`
}

/** `Ama says you were paid ₵60 by mobile money`, `Ask Ama for ₵60`, or `₵60 paid to you`. */
export function driverPaidText(view: Delivery, sender: string): string {
  if (isDirect(view) && saysPaid(view))
    return `${upperFirst(sender)} says you were paid ${priceText(view)}${howPaid(view)}`
  return isToAskFor(view)
    ? `Ask ${sender} for ${shortPrice(totalOf(view))}`
    : partOf(view) === 0 && !view.tip
      ? 'Support refunded the sender: nothing is paid'
      : payoutText(view, partText(view))
}

/** What the driver has of the offer, and the tip (R228). */
const partText = (view: Delivery): string =>
  partOf(view) === 0 && !view.tip ? 'nothing' : priceText({ ...view, offer: toCedis(partOf(view)) })

/** With what the office has refunded (R228). */
function withBack(view: Delivery, text: string): string {
  const back = toPesewas(view.offer) - partOf(view)
  return back > 0 ? `${text}, you get ${shortPrice(toCedis(back))} back` : text
}

/** How far the driver's money has come: `₵60 paid to you`; `₵60 is on its way to you` where a provider pays it out (R178). */
function payoutText(view: Delivery, price: string): string {
  const { payout } = view
  if (isDirect(view) || payout?.status === 'paid') return `${price} paid to you`
  return payout?.status === 'failed' || payout?.status === 'reversed'
    ? `${price} could not be paid to you. Check your payout number`
    : `${price} is on its way to you`
}

/** Whether its sender has not said how they paid what they owe the driver. */
export const isToAskFor = (view: Delivery): boolean =>
  isDirect(view) && !saysPaid(view) && view.payout?.status === 'waiting'

/** What the driver reads of their share of a cancelled delivery: `₵45 paid to you`, `ask Ama for ₵45`. */
export function sharePaidText(view: Delivery, sender: string): string {
  const { driverShare = 0 } = view
  if (driverShare === 0) return 'nothing is paid'
  return isToAskFor(view)
    ? `ask ${sender} for ${shortPrice(driverShare)}`
    : payoutText(view, shortPrice(driverShare))
}
