import * as z from 'zod/mini'
import { Commute } from './commute.ts'
import { Licence } from './licence.ts'
import { NotificationSettings } from './notification-settings.ts'
import { PayoutNumber } from './payout-number.ts'
import { RatingSummary } from './rating.ts'
import { Suspension } from './standing/suspension.ts'

/** A missing role reads as `user` (R1). `support`: reads and helps at the office (R210). */
export const Role = z.enum(['sender', 'driver', 'admin', 'support', 'user'])
export type Role = z.infer<typeof Role>

/** What colleagues at the office are (R210). */
export const OfficeRole = z.enum(['admin', 'support'], 'Role must be admin or support.')
export type OfficeRole = z.infer<typeof OfficeRole>

export const DriverStatus = z.enum(['pending', 'approved', 'rejected'])
export type DriverStatus = z.infer<typeof DriverStatus>

/**
 * A person with an account. `driverStatus` only for drivers. `pendingPhone`: a new number that is not
 * confirmed yet; until it is, `phone_number` counts (R10).
 */
export const User = z.object({
  ID: z.string(),
  name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  role: Role,
  Verified: z.boolean(),
  driverStatus: z.optional(DriverStatus),
  pendingPhone: z.optional(z.string()),
  rating: z.optional(RatingSummary),
  /** Of a driver, as senders see it (R114). */
  photo: z.optional(z.string()),
  licence: z.optional(Licence),
  /** A changed one that no admin has looked at yet (R139). */
  licencePending: z.optional(Licence),
  /** What they are told of, as they alone see it (R121). */
  notifications: z.optional(NotificationSettings),
  /** Of a driver, as they alone see them (R166). */
  commutes: z.optional(z.array(Commute)),
  /**
   * Of a driver, for themselves and admins: the number they are paid to, one that counts later in its place, and one
   * that waits for its code (R175).
   */
  payout: z.optional(PayoutNumber),
  nextPayout: z.optional(PayoutNumber),
  pendingPayout: z.optional(PayoutNumber),
  /** As admins see it (R198); nobody else is logged in meanwhile. */
  suspended: z.optional(Suspension),
  /** Of a colleague: a login asks for a code, too (R213). */
  secondFactor: z.optional(z.boolean()),
})
export type User = z.infer<typeof User>

/** How one party of a delivery reaches the other (R52), and what is known of a driver (R114). */
export const Contact = z.object({
  id: z.string(),
  name: z.string(),
  phone: z.optional(z.string()),
  email: z.optional(z.string()),
  rating: z.optional(RatingSummary),
  photo: z.optional(z.string()),
  licence: z.optional(Licence),
  licencePending: z.optional(Licence),
  /** When a driver joined, ISO 8601. */
  since: z.optional(z.string()),
  /** How many deliveries of a driver were approved. */
  deliveries: z.optional(z.number()),
})
export type Contact = z.infer<typeof Contact>

/** What the other party of a delivery sees of a user (R52). */
export const contactOf = (user: User): Contact => ({
  id: user.ID,
  name: user.name,
  phone: user.phone_number,
  email: user.email,
  ...(user.rating ? { rating: user.rating } : {}),
})

/** What a sender sees of the driver who accepted (R114). */
export const driverCardOf = (user: User, more: Pick<Contact, 'since' | 'deliveries'>): Contact => ({
  ...contactOf(user),
  ...(user.photo ? { photo: user.photo } : {}),
  ...(user.licence ? { licence: user.licence } : {}),
  ...(user.licencePending ? { licencePending: user.licencePending } : {}),
  ...more,
})

/** Whether the user may accept jobs, verified or not (R4). */
export const isApprovedDriver = (user: User | undefined): boolean =>
  user?.role === 'driver' && user.driverStatus === 'approved'

/** Whether somebody works at the office: an admin or support (R210). */
export const isOffice = (user: Pick<User, 'role'> | undefined): boolean =>
  user?.role === 'admin' || user?.role === 'support'

/** The form in which e-mails are compared: trimmed, lower case (R7). */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

/** What stands in place of the name of somebody who deleted their account (R216). */
export const deletedName = 'Deleted user'

/** What people call somebody: the first word of their name. */
export const firstNameOf = (name: string): string =>
  name === deletedName ? name : (name.trim().split(/\s+/)[0] ?? name)

/** Everything after the first word of a name; empty when it is the only one. */
export const lastNameOf = (name: string): string => name.trim().split(/\s+/).slice(1).join(' ')

/** A name with one or both of its parts changed (R144). */
export const renamed = (
  name: string,
  {
    firstName = firstNameOf(name),
    lastName = lastNameOf(name),
  }: { firstName?: string; lastName?: string },
): string => `${firstName} ${lastName}`.trim()
