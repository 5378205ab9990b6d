import * as z from 'zod/mini'
import { Status } from '#domain/deliveries/delivery.ts'
import { DisputeType } from '#domain/deliveries/dispute.ts'
import { maxText } from '#domain/deliveries/draft.ts'
import { deliveryOrDispute, oneDelivery, oneDispute, send } from './endpoint.ts'
import { Phone, requiredText } from './fields.ts'
import type { OperationRequest, RequestContext } from './operation.ts'

/*
 * Calls that several operations share.
 */

const report = {
  deliveryId: requiredText('Delivery'),
  issue: requiredText('A description of the issue'),
  type: DisputeType,
  priority: z._default(z.literal('medium'), 'medium'),
}

export const sharedCalls = {
  changeStatus: {
    call: send('PATCH', '/deliveries/:id/status', 'person', deliveryOrDispute),
    bodySchema: z.object({
      status: Status,
      proofOfDelivery: z.optional(z.string().check(z.maxLength(maxText, 'The photo is too long.'))),
    }),
  },
  changeGuestStatus: {
    call: send('PATCH', '/guest/deliveries/:id/status', 'guest', oneDelivery),
    bodySchema: z.object({ status: Status, guestPhone: Phone }),
  },
  createDispute: {
    call: send('POST', '/disputes', 'person', oneDispute, 201),
    bodySchema: z.object(report),
  },
  createGuestDispute: {
    call: send('POST', '/guest/disputes', 'guest', oneDispute, 201),
    bodySchema: z.object({ ...report, guestPhone: Phone }),
  },
}

/** The request that brings a delivery to a status, with a photo of its hand-over. */
export const statusRequest = (
  status: Status,
  { id, isGuest, guestPhone }: RequestContext,
  proofOfDelivery?: string,
): OperationRequest =>
  isGuest
    ? { op: 'changeGuestStatus', id, body: { status, guestPhone } }
    : { op: 'changeStatus', id, body: { status, proofOfDelivery } }
