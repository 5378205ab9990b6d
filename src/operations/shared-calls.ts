import * as z from 'zod/mini'
import { Status } from '#domain/deliveries/delivery.ts'
import { DisputeType } from '#domain/deliveries/dispute.ts'
import { maxText } from '#domain/deliveries/draft.ts'
import { deliveryOrDispute, oneDelivery, oneDispute, send } from './endpoint.ts'
import { body, Phone, requiredText } from './fields.ts'
import type { OperationRequest, RequestContext } from './operation.ts'

/** Calls that several operations share. */
export const sharedCalls = {
  changeStatus: { call: send('PATCH', '/deliveries/:id/status', 'person', deliveryOrDispute) },
  changeGuestStatus: {
    call: send('PATCH', '/guest/deliveries/:id/status', 'guest', oneDelivery),
  },
  createDispute: { call: send('POST', '/disputes', 'person', oneDispute, 201) },
  createGuestDispute: { call: send('POST', '/guest/disputes', 'guest', oneDispute, 201) },
}

const report = () => ({
  deliveryId: requiredText('Delivery'),
  issue: requiredText('A description of the issue'),
  type: DisputeType,
  priority: z._default(z.literal('medium'), 'medium'),
})
const proofOfDelivery = () => z.string().check(z.maxLength(maxText, 'The photo is too long.'))

const statusWithTip = () => ({
  status: Status,
  /** In cedis, with an approval alone (R126). */
  tip: z.optional(z.number('The tip must be a number.')),
})
const tipGoesWithApproval = () =>
  z.refine<{ status: Status; tip?: number }>(
    ({ status, tip }) => tip === undefined || status === 'Approved',
    'A tip goes with an approval.',
  )

/** What the server takes of them. */
export const sharedBodies = body(() => ({
  changeStatus: {
    body: z
      .object({ ...statusWithTip(), proofOfDelivery: z.optional(proofOfDelivery()) })
      .check(tipGoesWithApproval()),
  },
  changeGuestStatus: {
    body: z.object({ ...statusWithTip(), guestPhone: Phone }).check(tipGoesWithApproval()),
  },
  createDispute: { body: z.object(report()) },
  createGuestDispute: { body: z.object({ ...report(), guestPhone: Phone }) },
}))

/** The request that brings a delivery to a status. `more`: what else it says. */
export const statusRequest = (
  status: Status,
  { id, isGuest, guestPhone }: RequestContext,
  more: { proofOfDelivery?: string; tip?: number } = {},
): OperationRequest =>
  isGuest
    ? { op: 'changeGuestStatus', id, body: { status, guestPhone, ...more } }
    : { op: 'changeStatus', id, body: { status, ...more } }
