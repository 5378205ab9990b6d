import * as z from 'zod/mini'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { hasIncident } from '#domain/deliveries/endings/incidents.ts'
import { receiptOfReturn, startReturn as start } from '#domain/deliveries/endings/returns.ts'
import { oneDelivery, send } from '../endpoint.ts'
import { body, optionalText } from '../fields.ts'
import { deliveryOperation, personIn } from '../operation.ts'

/** The driver brings the parcel back (R104). `made`: what the server draws. */
export const startReturn = deliveryOperation({
  input: z.object({ id: z.string(), note: z.optional(z.string()) }),
  call: send('POST', '/driver/deliveries/:id/return', 'driver', oneDelivery),
  body: ({ note }) => ({ note }),
  by: 'driver',
  rule: (delivery, actor, when, { note }, made?: Pick<Delivery, 'returnCode' | 'dueAt'>) =>
    // A phone, which draws nothing, foresees the receipt.
    start(
      delivery,
      personIn(actor),
      note,
      when,
      made,
      made ? undefined : receiptOfReturn(delivery, when),
    ),
  sample: {},
  isVisible: (row, { occurredAt }) => hasIncident(row, 'return', occurredAt),
  queue: { urgent: true },
})

/** What the server takes. */
export const startReturnBody = body(() => z.object({ note: optionalText('The note') }))
