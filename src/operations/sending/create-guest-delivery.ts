import * as z from 'zod/mini'
import { Delivery } from '#domain/deliveries/delivery.ts'
import { maxName } from '#domain/deliveries/draft.ts'
import { send } from '../endpoint.ts'
import { body, Phone, requiredText } from '../fields.ts'
import { operation } from '../operation.ts'
import { requestBody, requestFields, requestInput, zonesDiffer } from './delivery-request.ts'

/**
 * Somebody without an account requests a delivery (R20). `guestSecret`: random text that only this phone knows. It is
 * part of the stored request, so a driver who knows the ID and every other detail cannot replay the create to get the
 * guest token (R71).
 */
export const createGuestDelivery = operation({
  input: z.object({
    ...requestInput,
    senderName: z.string(),
    senderPhone: z.string(),
    guestSecret: z.string(),
  }),
  call: send(
    'POST',
    '/guest/deliveries',
    'anyone',
    z.object({ delivery: Delivery, guestToken: z.optional(z.string()) }),
    201,
  ),
  body: requestBody,
})

/** What the server takes. */
export const createGuestDeliveryBody = body(() =>
  z
    .object({
      ...requestFields,
      senderName: requiredText('Sender name', maxName),
      senderPhone: Phone,
      guestSecret: z.optional(z.string().check(z.maxLength(200))),
    })
    .check(zonesDiffer),
)
