import * as z from 'zod/mini'
import { Delivery } from '#domain/deliveries/delivery.ts'
import { Dispute } from '#domain/deliveries/dispute.ts'
import { officeSettings } from '#domain/office/settings.ts'
import { Payout } from '#domain/payment-fields.ts'
import { DriverApplication } from '#domain/users/driver.ts'
import { DriverStatus, Role, User } from '#domain/users/user.ts'
import { PriceGuide, WayDrivers } from '#domain/way-guide.ts'
import { Zone } from '#domain/zones/zone.ts'
import { type Endpoint, get } from '#operations/endpoint.ts'
import {
  Activity,
  AuditEntry,
  Device,
  DriverCounts,
  Handover,
  Invitation,
  Money,
  MoneyDay,
  SessionInfo,
  Stats,
  StatusCounts,
  Trends,
} from './responses.ts'
import { sharedReads } from './shared-reads.ts'

const many = z.object({
  deliveries: z.array(Delivery),
  removed: z.optional(z.array(z.string())),
  cursor: z.optional(z.string()),
  next: z.optional(z.string()),
  total: z.optional(z.number()),
})
const { zones, items } = sharedReads
const more = { next: z.optional(z.string()), total: z.optional(z.number()) }
const drivers = z.object({
  drivers: z.array(DriverApplication),
  ...more,
  counts: z.optional(DriverCounts),
})

/** The calls that only read. The schemas of their queries have the same names in `queries.ts`. */
export const reads = {
  ...sharedReads,
  me: get('/users/me', 'person', z.object({ user: User, role: Role })),
  sessions: get('/sessions', 'person', z.object({ sessions: z.array(SessionInfo) })),
  priceGuide: get(
    '/price-guide',
    'anyone-or-person',
    z.object({ guide: z.optional(z.nullable(PriceGuide)), drivers: z.optional(WayDrivers) }),
  ),
  senderDeliveries: get('/sender/deliveries', 'person', many),
  senderActiveDeliveries: get('/sender/active-deliveries', 'person', many),
  driverStatus: get(
    '/driver/status',
    'driver',
    z.object({ status: DriverStatus, reason: z.optional(z.string()) }),
  ),
  availableDeliveries: get('/driver/available-deliveries', 'driver', many),
  driverDeliveries: get(
    '/driver/my-deliveries',
    'driver',
    // Those of `removed` that the office took from the driver, and why (R192). Older servers do not send it.
    z.extend(many, {
      taken: z.optional(z.array(z.object({ ID: z.string(), reason: z.string(), at: z.string() }))),
    }),
  ),
  getDelivery: get(
    '/deliveries/:id',
    'person-or-guest',
    // What the reader's own side has reported about it (R59). Other backends may not send it.
    z.object({ delivery: Delivery, disputes: z.optional(z.array(Dispute)) }),
  ),
  handover: get('/handover/:id', 'recipient', z.object({ handover: Handover })),
  adminStats: get('/admin/stats', 'office', z.object({ stats: Stats })),
  adminTrends: get('/admin/trends', 'office', z.object({ trends: Trends })),
  adminActivities: get('/admin/activities', 'office', z.object({ activities: z.array(Activity) })),
  // Of each kind the newest, at most 20 (R186).
  adminSearch: get(
    '/admin/search',
    'office',
    z.object({
      people: z.array(User),
      deliveries: z.array(Delivery),
      disputes: z.array(Dispute),
      zones: z.array(Zone),
    }),
  ),
  adminUsers: get('/admin/users', 'office', z.object({ users: z.array(User), ...more })),
  adminUser: get(
    '/admin/users/:id',
    'office',
    z.object({
      user: User,
      deliveries: z.array(Delivery),
      application: z.optional(DriverApplication),
      // `PersonFacts`, which the admin's screens alone read: their schema is not in the first page.
      about: z.optional(z.unknown()),
      ...more,
    }),
  ),
  adminDisputes: get(
    '/admin/disputes',
    'office',
    z.object({ disputes: z.array(Dispute), ...more }),
  ),
  adminDispute: get(
    '/admin/disputes/:id',
    'office',
    z.object({ dispute: Dispute, delivery: z.optional(Delivery) }),
  ),
  adminDeliveries: get(
    '/admin/deliveries',
    'office',
    // How many of each status the list has when no status narrows it. Older servers do not count.
    // `atLeast`: a search finds more than `total`, and nothing is counted by status.
    // `unpaidRequests`: those that no driver sees yet, which Pending does not count (R232).
    z.extend(many, {
      counts: z.optional(StatusCounts),
      unpaidRequests: z.optional(z.number()),
      atLeast: z.optional(z.boolean()),
    }),
  ),
  adminDrivers: get('/admin/drivers', 'office', drivers),
  adminDriversWithDetails: get('/admin/drivers/with-details', 'office', drivers),
  adminZones: get('/admin/zones', 'office', zones.response),
  adminSettings: get('/admin/settings', 'admin', z.object({ settings: z.object(officeSettings) })),
  adminItems: get('/admin/items', 'office', items.response),
  adminAudit: get('/admin/audit', 'office', z.object({ entries: z.array(AuditEntry), ...more })),
  adminMoney: get(
    '/admin/money',
    'admin',
    // `cameIn`: what payers gave in all. `days`: oldest first, none left out, where they are asked for.
    z.object({
      money: Money,
      cameIn: z.optional(z.number()),
      days: z.optional(z.array(MoneyDay)),
    }),
  ),
  adminPayouts: get('/admin/payouts', 'admin', z.object({ payouts: z.array(Payout), ...more })),
  adminColleagues: get(
    '/admin/colleagues',
    'admin',
    z.object({ colleagues: z.array(User), invitations: z.array(Invitation) }),
  ),
  adminDevice: get('/admin/support/:code', 'office', z.object({ device: Device })),
} satisfies Record<string, Endpoint>

/** The name of a call that only reads. */
export type Read = keyof typeof reads
