import * as z from 'zod/mini'
import { DriverApplication } from '#domain/users/driver.ts'
import { send } from '../endpoint.ts'
import { body } from '../fields.ts'
import { operation } from '../operation.ts'

const decision = {
  status: z.optional(z.enum(['approved', 'rejected'])),
  licence: z.optional(z.enum(['accepted', 'refused'])),
}

/** An admin decides on a driver (R4), or on their changed licence (R139). */
export const reviewDriver = operation({
  input: z.object({ id: z.string(), ...decision, name: z.string() }),
  call: send('PATCH', '/admin/drivers/:id', 'admin', z.object({ driver: DriverApplication })),
  body: ({ status, licence }) => ({ status, licence }),
})

/** What the server takes. */
export const reviewDriverBody = body(() =>
  z
    .object(decision)
    .check(
      z.refine(
        ({ status, licence }) => (status === undefined) !== (licence === undefined),
        'Decide on the driver or on the licence.',
      ),
    ),
)
