import * as z from 'zod/mini'
import type { EndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { cancel } from '#domain/deliveries/transitions.ts'
import { deliveryOperation } from '../operation.ts'
import { statusRequest } from '../shared-calls.ts'

/** The sender, guest or an admin ends a delivery before it is handed over (R27). */
export const cancelDelivery = deliveryOperation({
  input: z.object({ id: z.string() }),
  request: (_, context) => statusRequest('Cancelled', context),
  rule: (delivery, actor, when, _, terms?: EndingTerms) => cancel(delivery, actor, when, terms),
  reaches: 'Cancelled',
  queue: { urgent: true },
})
