import * as z from 'zod/mini'

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
