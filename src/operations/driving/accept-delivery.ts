import * as z from 'zod/mini'
import { accept } from '#domain/deliveries/transitions.ts'
import type { Contact } from '#domain/users/user.ts'
import { oneDelivery, send } from '../endpoint.ts'
import { deliveryOperation, personIn } from '../operation.ts'

/** An approved driver takes a Pending job (R24). `card`: what its sender sees of them. */
export const acceptDelivery = deliveryOperation({
  input: z.object({ id: z.string() }),
  call: send('PATCH', '/driver/deliveries/:id/accept', 'driver', oneDelivery),
  rule: (delivery, actor, when, _, card?: Contact) => accept(delivery, personIn(actor), when, card),
  reaches: 'Accepted',
  queue: { urgent: true },
})
