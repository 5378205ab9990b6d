import * as z from 'zod/mini'
import { maxReason } from '#domain/deliveries/draft.ts'
import { DriverApplication } from '#domain/users/driver.ts'
import { send } from '../endpoint.ts'
import { body, optionalText } from '../fields.ts'
import { operation } from '../operation.ts'

/** `reason`: of a rejection, which the driver reads (R200). */
const decision = {
  status: z.optional(z.enum(['approved', 'rejected'])),
  licence: z.optional(z.enum(['accepted', 'refused'])),
  reason: z.optional(z.string()),
}

/** An admin decides on a driver (R4), or on their changed licence (R139). */
export const reviewDriver = operation({
  input: z.object({ id: z.string(), ...decision, name: z.string() }),
  call: send('PATCH', '/admin/drivers/:id', 'admin', z.object({ driver: DriverApplication })),
  body: ({ status, licence, reason }) => ({ status, licence, reason }),
})

/** What the server takes. */
export const reviewDriverBody = body(() =>
  z.object({ ...decision, reason: optionalText('The reason', maxReason) }).check(
    z.refine(
      ({ status, licence }) => (status === undefined) !== (licence === undefined),
      'Decide on the driver or on the licence.',
    ),
    z.refine(
      ({ status, reason }) => reason === undefined || status === 'rejected',
      'A reason goes with a rejection.',
    ),
  ),
)
