import * as z from 'zod/mini'
import { Refusal } from './errors.ts'
import { fullPrice, toPesewas } from './money.ts'
import type { Payout } from './payment-fields.ts'

/** `sent`: under way at a provider; `reversed`: it came back from there. */
export const PayoutStatus = z.enum(['waiting', 'sent', 'paid', 'failed', 'reversed'])
export type PayoutStatus = z.infer<typeof PayoutStatus>

/** Longest reference of a payment by hand, in characters. */
export const maxReference = 100

type State = Pick<Payout, 'status' | 'sendsAt'>

/** Whether an admin may say that people have paid it: nobody has, and no provider is about to (R183). */
export const canMarkPaid = ({ status, sendsAt }: State): boolean =>
  canRetry({ status }) || (status === 'waiting' && sendsAt === undefined)

/** Whether the provider may try once more: only what it has failed to pay, never what people pay (R183). */
export const canRetry = ({ status }: Pick<State, 'status'>): boolean =>
  status === 'failed' || status === 'reversed'

/** What the admin entered, in cedis, has to be the payout's amount (R183). Refusal: invalid. */
export function checkAmount(typed: number, amount: number): void {
  if (toPesewas(typed) !== toPesewas(amount))
    throw new Refusal('invalid', `This payout is ${fullPrice(amount)}.`)
}
