import * as z from 'zod/mini'
import { Refusal } from './errors.ts'
import { fullPrice, toPesewas } from './money.ts'

/** `sent`: under way at a provider; `reversed`: it came back from there. */
export const PayoutStatus = z.enum(['waiting', 'sent', 'paid', 'failed', 'reversed'])
export type PayoutStatus = z.infer<typeof PayoutStatus>

/** What a driver earned of one delivery, as admins see it (R172). */
export const Payout = z.object({
  ID: z.string(),
  DeliveryID: z.string(),
  driver: z.object({ id: z.string(), name: z.string() }),
  /** In cedis. */
  amount: z.number(),
  status: PayoutStatus,
  /** How the sender says they paid, what the provider calls it, or what an admin entered. */
  reference: z.optional(z.string()),
  /** Why it waits or failed, in words of the provider. */
  message: z.optional(z.string()),
  /** When the provider gets it, ISO 8601; missing where people pay it. */
  sendsAt: z.optional(z.string()),
  createdAt: z.string(),
})
export type Payout = z.infer<typeof Payout>

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
