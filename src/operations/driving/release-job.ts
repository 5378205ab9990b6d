import * as z from 'zod/mini'
import { releaseJob as release } from '#domain/deliveries/transitions.ts'
import { oneDelivery, send } from '../endpoint.ts'
import { body, requiredText } from '../fields.ts'
import { deliveryOperation, personIn } from '../operation.ts'

/** The driver gives an accepted job back, which is on offer again (R101). */
export const releaseJob = deliveryOperation({
  input: z.object({ id: z.string(), reason: z.string() }),
  call: send('POST', '/driver/deliveries/:id/release', 'driver', oneDelivery),
  body: ({ reason }) => ({ reason }),
  by: 'driver',
  rule: (delivery, actor, when, { reason }) => release(delivery, personIn(actor), reason, when),
  sample: { reason: '' },
  isVisible: ({ driver }, { account }) => driver?.id !== account,
  queue: { urgent: true },
})

/** What the server takes. */
export const releaseJobBody = body(() => z.object({ reason: requiredText('A reason') }))
