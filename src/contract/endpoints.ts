import * as z from 'zod/mini'
import { Choice } from '#domain/choices.ts'
import { Delivery } from '#domain/deliveries/delivery.ts'
import { Dispute } from '#domain/deliveries/dispute.ts'
import { DriverApplication } from '#domain/users/driver.ts'
import { DriverStatus, Role, User } from '#domain/users/user.ts'
import { type Endpoint, get, message, send } from '#operations/endpoint.ts'
import { operationEndpoints } from '#operations/index.ts'
import {
  Activity,
  AuditEntry,
  Device,
  DriverCounts,
  Handover,
  SessionInfo,
  Stats,
  StatusCounts,
  Trends,
} from './answers.ts'

const many = z.object({
  deliveries: z.array(Delivery),
  removed: z.optional(z.array(z.string())),
  cursor: z.optional(z.string()),
  next: z.optional(z.string()),
  total: z.optional(z.number()),
})
const session = z.object({ user: User, token: z.string(), role: Role })
const zones = z.object({ zones: z.array(Choice) })
const items = z.object({ items: z.array(Choice) })
const more = { next: z.optional(z.string()), total: z.optional(z.number()) }
const drivers = z.object({
  drivers: z.array(DriverApplication),
  ...more,
  counts: z.optional(DriverCounts),
})

/**
 * The endpoint table: every call of the API. Each operation brings its own line; here are the reads, and what cannot be
 * queued. The schemas of what a call sends have the same names in `queries.ts`.
 */
export const endpoints = {
  // account
  login: send('POST', '/login', 'anyone', session),
  signup: send('POST', '/signup', 'anyone', session, 201),
  logout: send('POST', '/logout', 'person', message),
  me: get('/users/me', 'person', z.object({ user: User, role: Role })),
  requestReset: send('POST', '/password/request-reset', 'anyone', message),
  resetPassword: send('POST', '/password/reset', 'anyone', message),
  confirmPhone: send('POST', '/verify/confirm', 'anyone-or-person', message),
  resendCode: send('POST', '/verify/resend', 'anyone-or-person', message),
  sessions: get('/sessions', 'person', z.object({ sessions: z.array(SessionInfo) })),
  // choices
  zones: get('/zones', 'anyone', zones),
  items: get('/items', 'anyone', items),
  config: get(
    '/config',
    'anyone',
    z.object({
      imageUploadUrl: z.string(),
      imageUploadPreset: z.string(),
      /** For ID photos, which are private (R55). Other backends may not send it. */
      idUploadPreset: z.optional(z.string()),
      imageHost: z.string(),
      /** The oldest build of the app that this server serves, if it asks for one (R90). */
      minClientVersion: z.optional(z.number()),
      /** Hours, a share from 0 to 1, and minutes (R103, R105, R106). Other backends may not send them. */
      autoApproveHours: z.optional(z.number()),
      returnShare: z.optional(z.number()),
      waitMinutes: z.optional(z.number()),
      /** The smallest offer, in cedis (R21). Other backends may not send it. */
      minOffer: z.optional(z.number()),
      /** The public VAPID key; missing where nobody is told with the app closed (R117). */
      pushKey: z.optional(z.string()),
    }),
  ),
  // sending
  senderDeliveries: get('/sender/deliveries', 'person', many),
  senderActiveDeliveries: get('/sender/active-deliveries', 'person', many),
  // request keys
  withdrawRequest: send(
    'POST',
    '/requests/:key/withdraw',
    'anyone-or-caller',
    z.object({
      state: z.enum(['done', 'withdrawn']),
      /** Of the request that took effect: its stored response. */
      status: z.optional(z.number()),
      body: z.optional(z.unknown()),
    }),
  ),
  knownRequests: send(
    'POST',
    '/requests/known',
    'person-or-guest',
    z.object({ unknown: z.array(z.string()) }),
  ),
  // driving
  driverStatus: get('/driver/status', 'driver', z.object({ status: DriverStatus })),
  availableDeliveries: get('/driver/available-deliveries', 'driver', many),
  driverDeliveries: get('/driver/my-deliveries', 'driver', many),
  // one delivery
  getDelivery: get(
    '/deliveries/:id',
    'person-or-guest',
    // What the reader's own side has reported about it (R59). Other backends may not send it.
    z.object({ delivery: Delivery, disputes: z.optional(z.array(Dispute)) }),
  ),
  handover: get('/handover/:id', 'recipient', z.object({ handover: Handover })),
  recoverGuest: send('POST', '/guest/recover', 'anyone', message),
  confirmGuestRecovery: send(
    'POST',
    '/guest/recover/confirm',
    'anyone',
    z.object({ deliveries: z.array(z.object({ delivery: Delivery, guestToken: z.string() })) }),
  ),
  // notifications
  subscribe: send('POST', '/notifications/subscriptions', 'person-or-guest', message, 201),
  unsubscribe: send('DELETE', '/notifications/subscriptions', 'person-or-guest', message),
  confirmNotification: send('POST', '/notifications/receipts', 'anyone', message),
  // disputes
  // admin
  adminStats: get('/admin/stats', 'admin', z.object({ stats: Stats })),
  adminTrends: get('/admin/trends', 'admin', z.object({ trends: Trends })),
  adminActivities: get('/admin/activities', 'admin', z.object({ activities: z.array(Activity) })),
  adminUsers: get('/admin/users', 'admin', z.object({ users: z.array(User), ...more })),
  adminUser: get(
    '/admin/users/:id',
    'admin',
    z.object({
      user: User,
      deliveries: z.array(Delivery),
      application: z.optional(DriverApplication),
      ...more,
    }),
  ),
  adminDisputes: get('/admin/disputes', 'admin', z.object({ disputes: z.array(Dispute), ...more })),
  adminDispute: get(
    '/admin/disputes/:id',
    'admin',
    z.object({ dispute: Dispute, delivery: z.optional(Delivery) }),
  ),
  adminDeliveries: get(
    '/admin/deliveries',
    'admin',
    // How many of each status the list has when no status narrows it. Older servers do not count.
    // `atLeast`: a search finds more than `total`, and nothing is counted by status.
    z.extend(many, { counts: z.optional(StatusCounts), atLeast: z.optional(z.boolean()) }),
  ),
  adminDrivers: get('/admin/drivers', 'admin', drivers),
  adminDriversWithDetails: get('/admin/drivers/with-details', 'admin', drivers),
  adminZones: get('/admin/zones', 'admin', zones),
  adminItems: get('/admin/items', 'admin', items),
  adminAudit: get('/admin/audit', 'admin', z.object({ entries: z.array(AuditEntry), ...more })),
  adminDevice: get('/admin/support/:code', 'admin', z.object({ device: Device })),
  // The router takes the first that fits: fixed paths stand before those with a parameter.
  ...operationEndpoints,
} satisfies Record<string, Endpoint>

export type Op = keyof typeof endpoints
/** The body of a call's response. */
export type ResponseOf<O extends Op> = z.infer<(typeof endpoints)[O]['response']>
