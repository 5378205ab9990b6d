import * as z from 'zod/mini'
import { acknowledgeCancel as acknowledge } from '#domain/deliveries/endings/cancel-hold.ts'
import { oneDelivery, send } from '../endpoint.ts'
import { deliveryOperation, personIn } from '../operation.ts'

/** The driver's phone has seen a cancel (R123). Queued by the engine, behind everything else of that delivery (S63). */
export const acknowledgeCancel = deliveryOperation({
  input: z.object({ id: z.string() }),
  call: send('POST', '/driver/deliveries/:id/cancel-seen', 'driver', oneDelivery),
  by: 'driver',
  rule: (delivery, actor, when) => acknowledge(delivery, personIn(actor), when.at),
  isUnforeseen: true,
})
