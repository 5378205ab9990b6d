import * as z from 'zod/mini'
import { Licence } from './licence.ts'
import { DriverStatus } from './user.ts'

export const IdType = z.enum(['ghana_card', 'passport'])
export type IdType = z.infer<typeof IdType>

export const idTypeLabels: Record<IdType, string> = {
  ghana_card: 'Ghana Card',
  passport: 'Passport',
}

/** What an admin reads to approve a driver (R4, R55). `ID` is the driver's user ID. */
export const DriverApplication = z.object({
  ID: z.string(),
  Status: DriverStatus,
  User: z.object({ Name: z.string(), Email: z.string() }),
  IDType: z.optional(z.string()),
  IDNumber: z.optional(z.string()),
  IDPhoto: z.optional(z.string()),
  /** The courier licence that counts, and one to look at (R139). */
  licence: z.optional(Licence),
  licencePending: z.optional(Licence),
})
export type DriverApplication = z.infer<typeof DriverApplication>

/** The statuses an admin may set from this one (R4). */
export const allowedDecisions = (status: DriverStatus): ('approved' | 'rejected')[] =>
  status === 'pending'
    ? ['approved', 'rejected']
    : status === 'approved'
      ? ['rejected']
      : ['approved']
