import * as z from 'zod/mini'
import { Delivery } from '#domain/deliveries/delivery.ts'
import { Dispute } from '#domain/deliveries/dispute.ts'
import { notReceived } from '#domain/deliveries/endings/direct-payment.ts'
import { send } from '../endpoint.ts'
import { deliveryOperation, personIn } from '../operation.ts'

/** The driver says that the money which the sender says they paid did not arrive (R171). */
export const reportUnpaid = deliveryOperation({
  input: z.object({ id: z.string() }),
  call: send(
    'POST',
    '/driver/deliveries/:id/not-received',
    'driver',
    z.object({ delivery: Delivery, dispute: Dispute }),
  ),
  by: 'driver',
  rule: (delivery, actor, when) => notReceived(delivery, personIn(actor), when.at),
  isVisible: ({ payout, disputed }) => disputed === true || payout?.status === 'waiting',
})
