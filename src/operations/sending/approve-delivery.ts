import * as z from 'zod/mini'
import { PaidBy, withPaidBy, withTip } from '#domain/deliveries/payment.ts'
import { approve } from '#domain/deliveries/transitions.ts'
import { deliveryOperation } from '../operation.ts'
import { statusRequest } from '../shared-calls.ts'

/** The sender or guest confirms the hand-over, and the driver is paid (R26). `tip`: in cedis (R126); `paidBy`: R171. */
export const approveDelivery = deliveryOperation({
  input: z.object({ id: z.string(), tip: z.optional(z.number()), paidBy: z.optional(PaidBy) }),
  request: ({ tip, paidBy }, context) => statusRequest('Approved', context, { tip, paidBy }),
  rule: (delivery, actor, when, { tip, paidBy }) =>
    withPaidBy(withTip(approve(delivery, actor, when), tip), paidBy),
  reaches: 'Approved',
  // Approved automatically or on another phone, it has no tip, or another.
  isVisible: ({ tip }, { input }) => !input.tip || tip === input.tip,
  queue: { urgent: true },
})
