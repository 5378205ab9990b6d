import * as z from 'zod/mini'
import { Refusal } from '../errors.ts'
import { isAmount, shortPrice, toCedis, toPesewas } from '../money.ts'
import type { Payment } from '../payment-fields.ts'

/*
 * What a delivery says of its money, and how that money moves (R41):
 *
 *   created:         payer ──hold──▶ set aside
 *     offer raised:  payer ──raise──▶ set aside, the difference                     (R169)
 *   approved:        set aside ──release──▶ owed,  set aside ──fee──▶ fees          (R174)
 *     with a tip:    payer ──tip-hold──▶ set aside ──tip-release──▶ owed            (R126)
 *   cancelled:       set aside ──refund──▶ payer     (of a job that a driver had: once it is held no more, R123)
 *   returned, split: as approved with the driver's share, and set aside ──refund──▶ payer, of what is left
 *   paid out:        owed ──payout──▶ driver         (and back, where the payment failed: `unpaid`, R172)
 *   charged twice:   payer ──surplus──▶ set aside ──surplus-refund──▶ payer                                  (R176)
 *   taken back:      owed ──surplus-refund──▶ payer,  fees ──surplus-refund──▶ payer                         (R228)
 *
 * Set aside is what the sender has promised, or what a payment provider holds for them (R171).
 */

/** Who holds the money of a delivery until it ends: nobody, since its sender pays the driver, or this provider. */
export const PaymentMode = z.enum(['direct', 'paystack'])
export type PaymentMode = z.infer<typeof PaymentMode>

/** How a sender paid the driver themselves (R171). */
export const PaidBy = z.enum(['momo', 'cash'])
export type PaidBy = z.infer<typeof PaidBy>

/** Kinds of transfers that one delivery can have several of; of the others it has at most one. */
export const repeatableKinds = ['raise', 'payout', 'unpaid', 'surplus', 'surplus-refund'] as const
export const transferKinds = [
  'hold',
  'release',
  'fee',
  'refund',
  'tip-hold',
  'tip-release',
  ...repeatableKinds,
] as const
export type TransferKind = (typeof transferKinds)[number]

type Party = 'payer' | 'set-aside' | 'owed' | 'driver' | 'fees'

/** A movement of money for one delivery, in whole pesewas. */
export type Movement = { kind: TransferKind; from: Party; to: Party; pesewas: number }

/** The movement that a new delivery begins with. */
export const holdOf = ({ offer }: Payment): Movement => ({
  kind: 'hold',
  from: 'payer',
  to: 'set-aside',
  pesewas: toPesewas(offer),
})

/** The movement of a raised offer: the difference (R169). Nothing where it is as before. */
export function raiseOf(after: Payment, before: Payment): Movement | undefined {
  const pesewas = toPesewas(after.offer) - toPesewas(before.offer)
  return pesewas > 0 ? { kind: 'raise', from: 'payer', to: 'set-aside', pesewas } : undefined
}

/** What arrived and nobody asked for any more: it goes back (R176). */
export const surplusOf = (pesewas: number): Movement[] => [
  { kind: 'surplus', from: 'payer', to: 'set-aside', pesewas },
  { kind: 'surplus-refund', from: 'set-aside', to: 'payer', pesewas },
]

/** What goes from the driver's part, and from its fee, back to the payer after the end (R228). */
export function takenBack(before: Ended, after: Ended): Movement[] {
  const fee = feeIn(before) - feeIn(after)
  const net = partOf(before) - partOf(after) - fee
  const back = { kind: 'surplus-refund', to: 'payer' } as const
  const movements: Movement[] = [
    { ...back, from: 'owed', pesewas: net },
    { ...back, from: 'fees', pesewas: fee },
  ]
  return movements.filter(({ pesewas }) => pesewas > 0)
}

/** Whether money was set aside for it: the provider holds it, or its sender has promised it (R173). */
export const isFunded = ({ payment }: Payment): boolean =>
  payment?.status !== 'waiting' && payment?.status !== 'failed'

/** Whether it is a request that no driver sees, because its money has not arrived (R173). */
export const isUnpaid = (delivery: Payment & { status: string }): boolean =>
  delivery.status === 'Pending' && !isFunded(delivery)

/** What an admin's list is asked for to have only unpaid requests; Pending has none of them (R232). */
export const unpaidStatus = 'Unpaid'

type Ended = Payment & { status: string }

/** What the driver has of the offer of an ended delivery, with the fee, in whole pesewas. */
export const partOf = ({ status, offer, driverShare }: Ended): number =>
  toPesewas(driverShare ?? (status === 'Approved' ? offer : 0))

const feeIn = (delivery: Ended): number => feeOf(partOf(delivery), delivery.feePercent ?? 0)

/**
 * The movements that end a delivery: the driver's part without the fee, the fee, and the rest to where it came from
 * (R41, R105, R107, R174).
 */
export function settlementOf(delivery: Ended): Movement[] {
  const { offer, tip = 0 } = delivery
  const part = partOf(delivery)
  const fee = feeIn(delivery)
  const movements: Movement[] = [
    { kind: 'release', from: 'set-aside', to: 'owed', pesewas: part - fee },
    { kind: 'fee', from: 'set-aside', to: 'fees', pesewas: fee },
    { kind: 'refund', from: 'set-aside', to: 'payer', pesewas: toPesewas(offer) - part },
    { kind: 'tip-hold', from: 'payer', to: 'set-aside', pesewas: toPesewas(tip) },
    { kind: 'tip-release', from: 'set-aside', to: 'owed', pesewas: toPesewas(tip) },
  ]
  return movements.filter(({ pesewas }) => pesewas > 0)
}

/** The operator's part of a driver's `part`, in whole pesewas; what is left of a pesewa is the driver's (R174). */
export const feeOf = (part: number, feePercent: number): number =>
  // A product of decimals may miss the whole number that it is.
  Math.floor((part * feePercent) / 100 + 1e-9)

/** What the driver of an ended delivery has earned, in whole pesewas. */
export const paidToDriver = (delivery: Ended): number =>
  settlementOf(delivery).reduce((sum, { to, pesewas }) => (to === 'owed' ? sum + pesewas : sum), 0)

/** What moves when the driver has their money, or after all has not (R172). */
export const payoutOf = (kind: 'payout' | 'unpaid', pesewas: number): Movement =>
  kind === 'payout'
    ? { kind, from: 'owed', to: 'driver', pesewas }
    : { kind, from: 'driver', to: 'owed', pesewas }

/** Whether its sender pays the driver, and no provider holds the money (R171). */
export const isDirect = ({ payment }: Payment): boolean => payment === undefined

/** How its sender says they paid, to end a sentence with: ` by mobile money`, ` in cash`, or nothing (R171). */
export function howPaid({ paidBy }: Pick<Payment, 'paidBy'>): string {
  if (paidBy === 'momo') return ' by mobile money'
  return paidBy === 'cash' ? ' in cash' : ''
}

/** What the sender of an approved delivery pays in all, in cedis: the offer and the tip. */
export const totalOf = ({ offer, tip = 0 }: Payment): number =>
  toCedis(toPesewas(offer) + toPesewas(tip))

/** An approved delivery, with how its sender says they paid the driver; of one that a provider holds it says nothing (R171). */
export const withPaidBy = <D extends Payment>(delivery: D, paidBy?: PaidBy): D =>
  paidBy === undefined || delivery.payment ? delivery : { ...delivery, paidBy }

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
