import * as z from 'zod/mini'
import { Refusal } from '../errors.ts'
import { Licence } from './licence.ts'
import { DriverStatus, isOffice, type User } from './user.ts'

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
  /** Other backends may not send the phone. */
  User: z.object({ Name: z.string(), Email: z.string(), Phone: z.optional(z.string()) }),
  /** When they applied, and when an admin last decided on it. Other backends may not send them. */
  CreatedAt: z.optional(z.string()),
  DecidedAt: z.optional(z.string()),
  IDType: z.optional(z.string()),
  IDNumber: z.optional(z.string()),
  IDPhoto: z.optional(z.string()),
  /** Why it was rejected (R200). */
  reason: z.optional(z.string()),
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

/** Whether this account may apply as a driver: one that does not drive, or a driver who was rejected (R6). */
export const mayApply = (user: User): boolean =>
  user.role === 'driver' ? user.driverStatus === 'rejected' : !isOffice(user)

/** Refusals: not-allowed, wrong-status. */
export function assertMayApply(user: User): void {
  if (isOffice(user)) throw new Refusal('not-allowed')
  if (mayApply(user)) return
  const isApproved = user.driverStatus === 'approved'
  throw new Refusal(
    'wrong-status',
    isApproved ? 'You are approved to drive.' : 'Your application is under review.',
  )
}
