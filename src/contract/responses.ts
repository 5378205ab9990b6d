import * as z from 'zod/mini'
import { Status } from '#domain/deliveries/delivery.ts'
import { OfficeRole } from '#domain/users/user.ts'

/** What waits for the office of one kind (`workKinds`): how many, and the oldest (R187). */
export const Work = z.object({
  kind: z.string(),
  count: z.number(),
  /** `ID`: of the payment, delivery, dispute or person. `name`: the person, item or issue. `since`: ISO 8601. */
  oldest: z.array(z.object({ ID: z.string(), name: z.string(), since: z.string() })),
})
export type Work = z.infer<typeof Work>

/** Figures of the dashboard. `totalRevenue` in cedis: the sum of the offers of Approved deliveries (R42). */
export const Stats = z.object({
  totalUsers: z.number(),
  totalDeliveries: z.number(),
  totalRevenue: z.number(),
  /** In cedis, to drivers (R126); missing while there are none. */
  totalTips: z.optional(z.number()),
  pendingDeliveries: z.number(),
  pendingDrivers: z.number(),
  /** Older servers do not count them. */
  openDisputes: z.optional(z.number()),
  /** Pending deliveries by their pick-up zone; a zone without any is left out. Older servers do not send it. */
  waiting: z.optional(z.record(z.string(), z.number())),
  /** Older servers do not send it. */
  work: z.optional(z.array(Work)),
})
export type Stats = z.infer<typeof Stats>

/** One event for the dashboard. `Type`: driver_approved, driver_rejected, user_signup, delivery_created, or other. */
export const Activity = z.object({
  ID: z.string(),
  Type: z.string(),
  Message: z.string(),
  CreatedAt: z.string(),
})
export type Activity = z.infer<typeof Activity>

const count = z.number()

/** Days in Ghana's time zone (UTC), oldest first, none left out. */
export const Trends = z.object({
  days: z.array(
    z.object({
      /** `2026-11-21` */
      day: z.string(),
      /** Deliveries created on that day, by the status they have now. */
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

/** Number of driver applications by status, whatever filter the list has. */
export const DriverCounts = z.object({ pending: count, approved: count, rejected: count })
export type DriverCounts = z.infer<typeof DriverCounts>

/** Number of deliveries by status; none is no entry. */
export const StatusCounts = z.partialRecord(Status, count)
export type StatusCounts = z.infer<typeof StatusCounts>

const figures = { held: count, paidOut: count, refunded: count, fees: count }

/**
 * Where all money is, in cedis, as the ledger says (R184). What is held is set aside for deliveries under way; what is owed
 * is the drivers', and not paid yet. `differences`: what the last reconciliation with the provider found.
 */
export const Money = z.object({ ...figures, owed: count, differences: z.array(z.string()) })
export type Money = z.infer<typeof Money>

/**
 * What moved on one day such as `2026-11-21`, in cedis. `held`: what was set aside on it. `paidOut` is negative where more
 * came back.
 */
export const MoneyDay = z.object({ ...figures, day: z.string() })
export type MoneyDay = z.infer<typeof MoneyDay>

/** One session of the caller (R12). `device`: browser and system in a few words, or empty. */
export const SessionInfo = z.object({
  id: z.string(),
  createdAt: z.string(),
  usedAt: z.string(),
  device: z.string(),
  current: z.boolean(),
})
export type SessionInfo = z.infer<typeof SessionInfo>

/** Somebody who is invited to the office and has not come yet (R209). */
export const Invitation = z.object({
  ID: z.string(),
  email: z.string(),
  role: OfficeRole,
  createdAt: z.string(),
  expiresAt: z.string(),
})
export type Invitation = z.infer<typeof Invitation>

/** What a phone last reported, by its support code (R92). */
export const Device = z.object({
  /** 8 characters, without the hyphen that people see. */
  code: z.string(),
  /** ISO 8601. */
  lastContactAt: z.string(),
  /** The build of its app. */
  clientVersion: z.optional(z.number()),
  /** Entries that had not left the phone. */
  queueLength: z.number(),
  /** Who was last logged in there. */
  user: z.optional(z.object({ Name: z.string(), Email: z.string() })),
})
export type Device = z.infer<typeof Device>

/** One line of the audit log: who did what to which row, when and from where (R57). */
export const AuditEntry = z.object({
  ID: z.string(),
  /** ISO 8601. */
  At: z.string(),
  /** The admin's e-mail; `console` for the operator's command line. */
  Actor: z.string(),
  /** The name of the call in `endpoints.ts`, or of an act without one: `viewIdPhoto`, the operator's `resetPassword`. */
  Action: z.string(),
  Subject: z.string(),
  Address: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** What the recipient of a parcel sees of it (R111): first names, and the driver's phone while they are under way. */
export const Handover = z.object({
  status: Status,
  itemDescription: z.string(),
  senderName: z.string(),
  pickupZone: z.optional(z.string()),
  dropoffZone: z.optional(z.string()),
  driver: z.optional(z.object({ name: z.string(), phone_number: z.optional(z.string()) })),
  updatedAt: z.string(),
})
export type Handover = z.infer<typeof Handover>
