import * as z from 'zod/mini'

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
})
export type Payment = z.infer<typeof Payment>

/** These fields of a delivery. */
export const paymentOf = (delivery: Payment): Payment =>
  Object.fromEntries(
    Object.keys(Payment.shape).map((name) => [name, delivery[name as keyof Payment]]),
  ) as Payment
