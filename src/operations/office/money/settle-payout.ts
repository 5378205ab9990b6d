import * as z from 'zod/mini'
import { Payout } from '#domain/payment-fields.ts'
import { maxReference } from '#domain/payout.ts'
import { send } from '../../endpoint.ts'
import { body, requiredText } from '../../fields.ts'
import { operation } from '../../operation.ts'

/** An admin says that a payout was paid, or has the provider try again (R183). `amount` in cedis, as they typed it. */
export const settlePayout = operation({
  input: z.object({
    id: z.string(),
    status: z.optional(z.literal('paid')),
    reference: z.optional(z.string()),
    amount: z.optional(z.number()),
    retry: z.optional(z.literal(true)),
  }),
  call: send('PATCH', '/admin/payouts/:id', 'admin', z.object({ payout: Payout })),
  body: ({ status, reference, amount, retry }) => ({ status, reference, amount, retry }),
})

/** What the server takes. */
export const settlePayoutBody = body(() =>
  z
    .object({
      status: z.optional(z.literal('paid', 'A payout can only be marked as paid.')),
      reference: z.optional(requiredText('A reference', maxReference)),
      amount: z.optional(z.number('The amount must be a number.')),
      retry: z.optional(z.literal(true, 'To send it again, retry is true.')),
    })
    .check(
      z.refine(
        ({ status, retry }) => (status === undefined) !== (retry === undefined),
        'Mark it as paid, or send it again.',
      ),
      z.refine(
        ({ status, reference }) => status === undefined || reference !== undefined,
        'A reference is required.',
      ),
    ),
)
