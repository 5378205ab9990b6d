import * as z from 'zod/mini'

/** A missing role reads as `user` (R1). */
export const Role = z.enum(['sender', 'driver', 'admin', 'user'])
export type Role = z.infer<typeof Role>

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
})
export type User = z.infer<typeof User>

/** How one party of a delivery reaches the other (R52). */
export const Contact = z.object({
  id: z.string(),
  name: z.string(),
  phone: z.optional(z.string()),
  email: z.optional(z.string()),
})
export type Contact = z.infer<typeof Contact>

/** What the other party of a delivery sees of a user (R52). */
export const contactOf = (user: User): Contact => ({
  id: user.ID,
  name: user.name,
  phone: user.phone_number,
  email: user.email,
})

/** Whether the user may accept jobs, verified or not (R4). */
export const isApprovedDriver = (user: User | undefined): boolean =>
  user?.role === 'driver' && user.driverStatus === 'approved'

/** The form in which e-mails are compared: trimmed, lower case (R7). */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

/** What people call somebody: the first word of their name. */
export const firstNameOf = (name: string): string => name.trim().split(/\s+/)[0] ?? name
