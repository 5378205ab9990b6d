import type { Payout } from '#domain/payment-fields.ts'
import type { Tone } from '../../../components/text/tag.tsx'

/** Names of the figures (R184). Where senders pay drivers themselves, nobody holds or refunds anything (R171). */
export const figureNames = {
  direct: {
    held: 'Promised',
    owed: 'Not paid yet',
    paidOut: 'Paid by senders',
    refunded: 'Cancelled',
    fees: 'Fees',
    cameIn: 'was promised',
    day: 'Promised',
    out: 'Paid and cancelled',
  },
  paystack: {
    held: 'Held',
    owed: 'Owed to drivers',
    paidOut: 'Paid out',
    refunded: 'Refunded',
    fees: 'Fees',
    cameIn: 'came in',
    day: 'Came in',
    out: 'Paid out and refunded',
  },
} as const
export type FigureNames = (typeof figureNames)[keyof typeof figureNames]

/** One state, one word, one colour. What waits for a reason says it beside. */
export function stateOf({ status, sendsAt, message }: Payout): [string, Tone] {
  const isNext = status === 'waiting' && sendsAt !== undefined && !message
  return isNext ? ['Goes out soon', 'teal'] : (states[status] ?? [status, 'plain'])
}

const states: Record<string, [string, Tone]> = {
  waiting: ['Not paid yet', 'gold'],
  sent: ['On its way', 'teal'],
  paid: ['Paid', 'approved'],
  failed: ['Failed', 'red'],
  reversed: ['Came back', 'red'],
}

/** The same for the payouts of one delivery. */
export const payoutName = (status: string): string => states[status]?.[0] ?? status

/** How it was paid, in words. A sender's own words are `momo` and `cash` (R171). */
export const referenceText = (reference: string): string =>
  ({ momo: 'The sender paid by mobile money', cash: 'The sender paid in cash' })[reference] ??
  `Reference: ${reference}`
