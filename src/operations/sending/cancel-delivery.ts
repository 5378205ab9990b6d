import * as z from 'zod/mini'
import type { EndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { cancel } from '#domain/deliveries/transitions.ts'
import { deliveryOperation } from '../operation.ts'
import { statusRequest } from '../shared-calls.ts'

/** The sender, guest or an admin ends a delivery before it is handed over (R27), and may say why (R161). */
export const cancelDelivery = deliveryOperation({
  input: z.object({ id: z.string(), reason: z.optional(z.string()) }),
  request: ({ reason }, context) => statusRequest('Cancelled', context, { reason }),
  rule: (delivery, actor, when, { reason }, terms?: EndingTerms) =>
    cancel(delivery, actor, when, terms, reason),
  reaches: 'Cancelled',
  queue: { urgent: true },
})
