import * as z from 'zod/mini'
import { withTip } from '#domain/deliveries/payment.ts'
import { approve } from '#domain/deliveries/transitions.ts'
import { deliveryOperation } from '../operation.ts'
import { statusRequest } from '../shared-calls.ts'

/** The sender or guest confirms the hand-over, and the driver is paid (R26). `tip`: in cedis (R126). */
export const approveDelivery = deliveryOperation({
  input: z.object({ id: z.string(), tip: z.optional(z.number()) }),
  request: ({ tip }, context) => statusRequest('Approved', context, { tip }),
  rule: (delivery, actor, when, { tip }) => withTip(approve(delivery, actor, when), tip),
  reaches: 'Approved',
  // Approved automatically or on another phone, it has no tip, or another.
  isVisible: ({ tip }, { input }) => !input.tip || tip === input.tip,
  queue: { urgent: true },
})
