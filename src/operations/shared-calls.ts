import * as z from 'zod/mini'
import { Status } from '#domain/deliveries/delivery.ts'
import { DisputeType } from '#domain/deliveries/dispute.ts'
import { maxReason, maxText } from '#domain/deliveries/draft.ts'
import { PaidBy } from '#domain/deliveries/payment.ts'
import { deliveryOrDispute, oneDelivery, oneDispute, send } from './endpoint.ts'
import { body, optionalText, Phone, requiredText } from './fields.ts'
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

const statusChange = () => ({
  status: Status,
  /** In cedis, with an approval alone (R126). */
  tip: z.optional(z.number('The tip must be a number.')),
  /** With an approval alone (R171). */
  paidBy: z.optional(PaidBy),
  /** With a cancel (R161), and with an approval of the office (R194). */
  reason: optionalText('The reason', maxReason),
})
/** A check that a field comes with these statuses alone. */
const goesWith = (field: 'tip' | 'paidBy' | 'reason', only: readonly Status[], error: string) =>
  z.refine<{ status: Status; tip?: number; paidBy?: string; reason?: string }>(
    (said) => said[field] === undefined || only.includes(said.status),
    error,
  )
const checks = () =>
  [
    goesWith('tip', ['Approved'], 'A tip goes with an approval.'),
    goesWith('paidBy', ['Approved'], 'How it was paid goes with an approval.'),
    goesWith('reason', ['Cancelled', 'Approved'], 'A reason goes with a cancel.'),
  ] as const

/** What the server takes of them. */
export const sharedBodies = body(() => ({
  changeStatus: {
    body: z
      .object({ ...statusChange(), proofOfDelivery: z.optional(proofOfDelivery()) })
      .check(...checks()),
  },
  changeGuestStatus: {
    body: z.object({ ...statusChange(), guestPhone: Phone }).check(...checks()),
  },
  createDispute: { body: z.object(report()) },
  createGuestDispute: { body: z.object({ ...report(), guestPhone: Phone }) },
}))

/** The request that brings a delivery to a status. `more`: what else it says. */
export const statusRequest = (
  status: Status,
  { id, isGuest, guestPhone }: RequestContext,
  more: { proofOfDelivery?: string; tip?: number; paidBy?: PaidBy; reason?: string } = {},
): OperationRequest =>
  isGuest
    ? { op: 'changeGuestStatus', id, body: { status, guestPhone, ...more } }
    : { op: 'changeStatus', id, body: { status, ...more } }
