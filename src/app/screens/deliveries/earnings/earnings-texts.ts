import type { PaymentMode } from '#domain/deliveries/payment.ts'
import { toCedis } from '#domain/money.ts'
import type { Whereabouts } from '#domain/payouts/earnings.ts'
import { csv } from '#store/export/csv.ts'
import type { Tone } from '../../../components/text/tag.tsx'
import type { JobEarning } from './job-earnings.ts'

/** What sums are called by where the money is. Where senders pay, nothing is on its way from anybody else (R171). */
export const placeNames: Record<PaymentMode, Record<Whereabouts, string>> = {
  direct: {
    approval: 'Waiting for approval',
    waiting: 'Not yet paid',
    onItsWay: 'On its way',
    paid: 'Paid to you',
    failed: 'Not paid: failed',
  },
  paystack: {
    approval: 'Waiting for approval',
    waiting: 'Waiting to be sent',
    onItsWay: 'On its way',
    paid: 'Paid to you',
    failed: 'Failed',
  },
}

export const placeTones: Record<Whereabouts, Tone> = {
  approval: 'gold',
  waiting: 'gold',
  onItsWay: 'teal',
  paid: 'green',
  failed: 'red',
}

/** Where the money of one job is. */
export function placeOf({ where, isDirect, isPaidBySender }: JobEarning): string {
  if (where === 'paid') return isPaidBySender && isDirect ? 'Paid by the sender' : 'Paid'
  return placeNames[isDirect ? 'direct' : 'paystack'][where]
}

const heads = ['Day', 'Job', 'Item', 'From', 'To', 'Offer', 'Tip', 'Fee', 'Net', 'Money']

/** Jobs as a CSV file, amounts in cedis. */
export function earningsFile(earned: readonly JobEarning[]): Blob {
  const lines = earned.map((each) => [
    each.day,
    each.ID,
    each.item,
    each.pickupZone,
    each.dropoffZone,
    ...[each.offer, each.tip, each.fee, each.net].map((pesewas) => toCedis(pesewas).toFixed(2)),
    placeOf(each),
  ])
  // The mark lets spreadsheets read names as they are.
  return new Blob(['\ufeff', csv([heads, ...lines])], { type: 'text/csv;charset=utf-8' })
}
