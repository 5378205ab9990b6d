import { Refusal } from '../errors.ts'
import { isAmount, shortPrice, toPesewas } from '../money.ts'
import type { Payment } from '../payment-fields.ts'

/*
 * What a delivery says of its money, and how that money moves (R41):
 *
 *   created:         payer ──hold──▶ escrow
 *     offer raised:  payer ──raise──▶ escrow, the difference                    (R169)
 *   approved:        escrow ──release──▶ driver
 *     with a tip:    payer ──tip-hold──▶ escrow ──tip-release──▶ driver        (R126)
 *   cancelled:       escrow ──refund──▶ payer        (of a job that a driver had: once it is held no more, R123)
 *   returned, split: escrow ──release──▶ driver  and  escrow ──refund──▶ payer, of what is left
 */

/** Each is made at most once for a delivery, except a raise. */
export const transferKinds = [
  'hold',
  'raise',
  'release',
  'refund',
  'tip-hold',
  'tip-release',
] as const
export type TransferKind = (typeof transferKinds)[number]

type Party = 'payer' | 'escrow' | 'driver'

/** A movement of money for one delivery, in whole pesewas. */
export type Movement = { kind: TransferKind; from: Party; to: Party; pesewas: number }

/** The movement that a new delivery begins with. */
export const holdOf = ({ offer }: Payment): Movement => ({
  kind: 'hold',
  from: 'payer',
  to: 'escrow',
  pesewas: toPesewas(offer),
})

/** The movement of a raised offer: the difference (R169). Nothing where it is as before. */
export function raiseOf(after: Payment, before: Payment): Movement | undefined {
  const pesewas = toPesewas(after.offer) - toPesewas(before.offer)
  return pesewas > 0 ? { kind: 'raise', from: 'payer', to: 'escrow', pesewas } : undefined
}

type Ended = Payment & { status: string }

/** The movements that end a delivery: the driver's part, and the rest to where it came from (R41, R105, R107). */
export function settlementOf({ status, offer, driverShare = 0, tip = 0 }: Ended): Movement[] {
  const part = toPesewas(status === 'Approved' ? offer : driverShare)
  const movements: Movement[] = [
    { kind: 'release', from: 'escrow', to: 'driver', pesewas: part },
    { kind: 'refund', from: 'escrow', to: 'payer', pesewas: toPesewas(offer) - part },
    { kind: 'tip-hold', from: 'payer', to: 'escrow', pesewas: toPesewas(tip) },
    { kind: 'tip-release', from: 'escrow', to: 'driver', pesewas: toPesewas(tip) },
  ]
  return movements.filter(({ pesewas }) => pesewas > 0)
}

/** What the driver of an ended delivery was paid, in whole pesewas. */
export const paidToDriver = (delivery: Ended): number =>
  settlementOf(delivery).reduce(
    (sum, { to, pesewas }) => (to === 'driver' ? sum + pesewas : sum),
    0,
  )

/** An approved delivery with a tip in cedis, from 0 to its offer (R126). Refusal: invalid. */
export function withTip<D extends Payment>(delivery: D, tip = 0): D {
  if (tip === 0) return delivery
  if (isAmount(tip) && tip <= delivery.offer) return { ...delivery, tip }
  throw new Refusal('invalid', tipHint(delivery))
}

/** What a tip may be, in words. */
export const tipHint = ({ offer }: Payment): string =>
  `A tip is from ₵0 to ${shortPrice(offer)}, with at most two decimals.`

/** What the sender of a delivery pays: `₵60`, or `₵60 and a tip of ₵5`; or as `price` writes it (R43, R126). */
export const priceText = ({ offer, tip }: Payment, price = shortPrice): string =>
  // An amount is not broken between its sign and its digits.
  tip ? `${price(offer)} and a tip of ${price(tip).replace(' ', '\u00a0')}` : price(offer)

/** The amounts of a delivery as columns of a table, in cedis with two decimals. */
export const amountColumns: [head: string, value: (delivery: Payment) => string][] = [
  ['Price (GHS)', ({ offer }) => offer.toFixed(2)],
  ['Tip (GHS)', ({ tip = 0 }) => tip.toFixed(2)],
]
