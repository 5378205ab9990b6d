import * as z from 'zod/mini'
import { approve } from '#domain/deliveries/transitions.ts'
import { deliveryOperation } from '../operation.ts'
import { statusRequest } from '../shared-calls.ts'

/** The sender or guest confirms the hand-over, and the driver is paid (R26). */
export const approveDelivery = deliveryOperation({
  input: z.object({ id: z.string() }),
  request: (_, context) => statusRequest('Approved', context),
  rule: (delivery, actor, when) => approve(delivery, actor, when),
  reaches: 'Approved',
  queue: { urgent: true },
})
