import * as z from 'zod/mini'
import { Status } from '#domain/delivery.ts'

/** Spec §3, admin stats. `totalRevenue` in cedis: the sum of the offers of Approved deliveries. */
export const Stats = z.object({
  totalUsers: z.number(),
  totalDeliveries: z.number(),
  totalRevenue: z.number(),
  pendingDeliveries: z.number(),
  pendingDrivers: z.number(),
})
export type Stats = z.infer<typeof Stats>

/** Spec §3. `Type`: driver_approved, driver_rejected, user_signup, delivery_created, or other. */
export const Activity = z.object({
  ID: z.string(),
  Type: z.string(),
  Message: z.string(),
  CreatedAt: z.string(),
})
export type Activity = z.infer<typeof Activity>

const count = z.number()

/** Days as Ghana counts them, oldest first, none left out. */
export const Trends = z.object({
  days: z.array(
    z.object({
      /** `2026-11-21` */
      day: z.string(),
      /** Deliveries asked for on that day, by the status they have now. */
      statuses: z.record(Status, count),
      /** Cedis released to drivers on that day. */
      revenue: count,
      /** Deliveries that reached Delivered on that day. */
      delivered: count,
      /** Median minutes from Pending to Delivered of those; missing when there were none. */
      minutes: z.optional(count),
    }),
  ),
})
export type Trends = z.infer<typeof Trends>

/** How many applications there are of each kind, whatever the list is narrowed to. */
export const DriverCounts = z.object({ pending: count, approved: count, rejected: count })
export type DriverCounts = z.infer<typeof DriverCounts>

/** One login of the person who asks. `device`: browser and system in a few words, or empty. */
export const SessionInfo = z.object({
  id: z.string(),
  createdAt: z.string(),
  usedAt: z.string(),
  device: z.string(),
  current: z.boolean(),
})
export type SessionInfo = z.infer<typeof SessionInfo>

/** One act of an admin, or one look at an ID photo: who did what to which row, when and from where. */
export const AuditEntry = z.object({
  ID: z.string(),
  /** ISO 8601. */
  At: z.string(),
  /** The admin's e-mail; `console` for the operator's command line. */
  Actor: z.string(),
  /** The call of the table, or `viewIdPhoto`, `login`, `resetPassword`. */
  Action: z.string(),
  Subject: z.string(),
  Address: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>
