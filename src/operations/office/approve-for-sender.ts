import * as z from 'zod/mini'
import { byOffice, mustBeOffice } from '#domain/deliveries/office/office.ts'
import { approved } from '#domain/deliveries/transitions.ts'
import { Refusal } from '#domain/errors.ts'
import { deliveryOperation } from '../operation.ts'
import { statusRequest } from '../shared-calls.ts'

/** An admin approves a delivery for its sender, with a reason that both sides read (R194); support moves no money (R210). */
export const approveForSender = deliveryOperation({
  input: z.object({ id: z.string(), reason: z.optional(z.string()) }),
  request: ({ reason }, context) => statusRequest('Approved', context, { reason }),
  rule: (delivery, actor, when, { reason }) => {
    mustBeOffice(delivery, actor)
    if ('user' in actor && actor.user.role === 'support') throw new Refusal('support')
    return approved(delivery, byOffice(when, reason))
  },
  reaches: 'Approved',
  isUnforeseen: true,
})
