import * as z from 'zod/mini'
import { pickUp } from '#domain/deliveries/transitions.ts'
import { deliveryOperation, personIn } from '../operation.ts'
import { statusRequest } from '../shared-calls.ts'

/** The driver has the item (R25). */
export const pickUpDelivery = deliveryOperation({
  input: z.object({ id: z.string() }),
  request: (_, context) => statusRequest('Picked Up', context),
  rule: (delivery, actor, when) => pickUp(delivery, personIn(actor), when),
  reaches: 'Picked Up',
  queue: { urgent: true },
})
