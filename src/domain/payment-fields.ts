import * as z from 'zod/mini'

/**
 * Strings, not enums: a newer server may know of more (R173). `message`: why, in words of the provider; `at`: since when,
 * ISO 8601; `otp`: the provider asks for the voucher of the payer's network.
 */
const MoneyState = z.object({
  status: z.string(),
  message: z.optional(z.string()),
  at: z.optional(z.string()),
  otp: z.optional(z.boolean()),
})

/** The fields of a delivery that are about its money. Amounts in cedis. */
export const Payment = z.object({
  offer: z.number(),
  /** What its sender added for the driver when they approved it; missing where there is none (R126). */
  tip: z.optional(z.number()),
  /** What the driver got of the offer of a returned or split delivery. */
  driverShare: z.optional(z.number()),
  /** The money of a cancelled job: `held` until its driver's phone has confirmed, then `done`. */
  refund: z.optional(z.string()),
  /** When held money goes back at the latest; missing while it waits for an admin's decision. */
  refundDueAt: z.optional(z.string()),
  /** How its sender says they paid the driver: `momo` or `cash`; missing where they have not said (R171). */
  paidBy: z.optional(z.string()),
  /** What the payment provider says of the sender's money; missing where the sender pays the driver. */
  payment: z.optional(MoneyState),
  /** Where the driver's money is, once it is theirs: for the driver and admins (R172). */
  payout: z.optional(MoneyState),
  /** Per cent of the driver's part, without the tip, that the operator keeps; missing where it is 0 (R174). */
  feePercent: z.optional(z.number()),
})
export type Payment = z.infer<typeof Payment>

/** These fields of a delivery. */
export const paymentOf = (delivery: Payment): Payment =>
  Object.fromEntries(
    Object.keys(Payment.shape).map((name) => [name, delivery[name as keyof Payment]]),
  ) as Payment

/** What a driver earned of one delivery, as admins see it (R172). */
export const Payout = z.object({
  ID: z.string(),
  DeliveryID: z.string(),
  driver: z.object({ id: z.string(), name: z.string() }),
  /** In cedis. */
  amount: z.number(),
  /** A `PayoutStatus`; a string, because a newer server may know of more. */
  status: z.string(),
  /** How the sender says they paid, what the provider calls it, or what an admin entered. */
  reference: z.optional(z.string()),
  /** Why it waits or failed, in words of the provider. */
  message: z.optional(z.string()),
  /** When the provider gets it, ISO 8601; missing where people pay it. */
  sendsAt: z.optional(z.string()),
  createdAt: z.string(),
})
export type Payout = z.infer<typeof Payout>
