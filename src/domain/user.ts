import * as z from 'zod/mini'

/** `user` is what a missing role reads as (spec §1). */
export const Role = z.enum(['sender', 'driver', 'admin', 'user'])
export type Role = z.infer<typeof Role>

export const DriverStatus = z.enum(['pending', 'approved', 'rejected'])
export type DriverStatus = z.infer<typeof DriverStatus>

/**
 * A person with an account (spec §3). `driverStatus` only for drivers. `pendingPhone` is a number they
 * want to change to and have not confirmed: until they do, `phone_number` counts.
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

/** How one side of a delivery reaches the other (spec §3: sender and driver of a Delivery). */
export const Contact = z.object({
  id: z.string(),
  name: z.string(),
  phone: z.optional(z.string()),
  email: z.optional(z.string()),
})
export type Contact = z.infer<typeof Contact>

export const contactOf = (user: User): Contact => ({
  id: user.ID,
  name: user.name,
  phone: user.phone_number,
  email: user.email,
})

export const isApprovedDriver = (user: User | undefined): boolean =>
  user?.role === 'driver' && user.driverStatus === 'approved'

/** E-mails compare without regard to case (interfaces: names and values). */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()
