import * as z from 'zod/mini'
import { oneDelivery, send } from '../endpoint.ts'
import { body } from '../fields.ts'
import { operation } from '../operation.ts'
import { requestBody, requestFields, requestInput, zonesDiffer } from './delivery-request.ts'

/** A person requests a delivery (R20). */
export const createDelivery = operation({
  input: z.object(requestInput),
  call: send('POST', '/sender/deliveries', 'person', oneDelivery, 201),
  body: requestBody,
})

/** What the server takes. */
export const createDeliveryBody = body(() => z.object(requestFields).check(zonesDiffer))
