import * as z from 'zod/mini'
import { Choice } from '#domain/choices.ts'
import { Delivery } from '#domain/deliveries/delivery.ts'
import { Dispute } from '#domain/deliveries/dispute.ts'
import { DriverApplication } from '#domain/users/driver.ts'
import { DriverStatus, Role, User } from '#domain/users/user.ts'
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

/**
 * Who may make a call at all; the domain's rules decide what they see and change of a row.
 * `anyone-or-person`: no token is needed; a valid one names the account, and with `anyone-or-caller` a guest too. `recipient`: the track token of the
 * delivery, which opens nothing else (R111).
 */
export type Access =
  | 'anyone'
  | 'anyone-or-person'
  | 'anyone-or-caller'
  | 'person'
  | 'driver'
  | 'admin'
  | 'guest'
  | 'person-or-guest'
  | 'recipient'

export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/api`; `:id` is a row's ID, `:key` a request key, `:code` a support code. */
  path: string
  access: Access
  response: z.ZodMiniObject
  /** The named member of the response; a bare array or object is read as this member (R87). */
  member: string
  status: 200 | 201
}

const message = z.object({ message: z.string() })
const one = z.object({ delivery: Delivery })
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
const dispute = z.object({ dispute: Dispute })
/** With 202, what was done before a cancel and is heard after it has opened this dispute (R124). */
const oneOrDisputed = z.object({ delivery: Delivery, dispute: z.optional(Dispute) })

/** One line of the table; its type keeps the response's schema, from which handlers and callers infer theirs. */
type EndpointLine<S extends z.ZodMiniObject> = Omit<Endpoint, 'response'> & { response: S }

const get = <S extends z.ZodMiniObject>(
  path: string,
  access: Access,
  response: S,
): EndpointLine<S> => line('GET', path, access, response, 200)

const send = <S extends z.ZodMiniObject>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  access: Access,
  response: S,
  status: 200 | 201 = 200,
): EndpointLine<S> => line(method, path, access, response, status)

const line = <S extends z.ZodMiniObject>(
  method: Endpoint['method'],
  path: string,
  access: Access,
  response: S,
  status: 200 | 201,
): EndpointLine<S> => ({ method, path, access, response, status, member: memberOf(response) })

const memberOf = (response: z.ZodMiniObject) => Object.keys(response.shape)[0] as string

/**
 * The endpoint table: every call of the API. The schemas of what a call sends have the same names in
 * `queries.ts`, apart from these, because only the server reads them and the first page must stay small.
 */
export const endpoints = {
  // account
  login: send('POST', '/login', 'anyone', session),
  signup: send('POST', '/signup', 'anyone', session, 201),
  logout: send('POST', '/logout', 'person', message),
  me: get('/users/me', 'person', z.object({ user: User, role: Role })),
  changePhone: send('PATCH', '/users/me/phone', 'person', message),
  requestReset: send('POST', '/password/request-reset', 'anyone', message),
  resetPassword: send('POST', '/password/reset', 'anyone', message),
  confirmPhone: send('POST', '/verify/confirm', 'anyone-or-person', message),
  resendCode: send('POST', '/verify/resend', 'anyone-or-person', message),
  sessions: get('/sessions', 'person', z.object({ sessions: z.array(SessionInfo) })),
  endSession: send('DELETE', '/sessions/:id', 'person', message),
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
  createDelivery: send('POST', '/sender/deliveries', 'person', one, 201),
  createGuestDelivery: send(
    'POST',
    '/guest/deliveries',
    'anyone',
    z.object({ delivery: Delivery, guestToken: z.optional(z.string()) }),
    201,
  ),
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
  acceptDelivery: send('PATCH', '/driver/deliveries/:id/accept', 'driver', one),
  completeDelivery: send('POST', '/driver/deliveries/:id/complete', 'driver', oneOrDisputed),
  acknowledgeCancel: send('POST', '/driver/deliveries/:id/cancel-seen', 'driver', one),
  releaseJob: send('POST', '/driver/deliveries/:id/release', 'driver', one),
  reportAttempt: send('POST', '/driver/deliveries/:id/attempt', 'driver', one),
  startReturn: send('POST', '/driver/deliveries/:id/return', 'driver', one),
  changeDriverCard: send('PATCH', '/driver/card', 'driver', z.object({ user: User })),
  // one delivery
  getDelivery: get(
    '/deliveries/:id',
    'person-or-guest',
    // What the reader's own side has reported about it (R59). Other backends may not send it.
    z.object({ delivery: Delivery, disputes: z.optional(z.array(Dispute)) }),
  ),
  changeStatus: send('PATCH', '/deliveries/:id/status', 'person', oneOrDisputed),
  changeGuestStatus: send('PATCH', '/guest/deliveries/:id/status', 'guest', one),
  contestPickUp: send(
    'POST',
    '/deliveries/:id/contest',
    'person-or-guest',
    z.object({ delivery: Delivery, dispute: Dispute }),
  ),
  confirmReturn: send('POST', '/deliveries/:id/return/confirm', 'person-or-guest', one),
  renewCode: send('POST', '/deliveries/:id/code', 'person-or-guest', one),
  rateDelivery: send('POST', '/deliveries/:id/rating', 'person-or-guest', one),
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
  changeNotifications: send('PATCH', '/users/me/notifications', 'person', z.object({ user: User })),
  // disputes
  createDispute: send('POST', '/disputes', 'person', dispute, 201),
  createGuestDispute: send('POST', '/guest/disputes', 'guest', dispute, 201),
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
  resolveDispute: send('PATCH', '/admin/disputes/:id', 'admin', dispute),
  adminDeliveries: get(
    '/admin/deliveries',
    'admin',
    // How many of each status the list has when no status narrows it. Older servers do not count.
    // `atLeast`: a search finds more than `total`, and nothing is counted by status.
    z.extend(many, { counts: z.optional(StatusCounts), atLeast: z.optional(z.boolean()) }),
  ),
  adminDrivers: get('/admin/drivers', 'admin', drivers),
  adminDriversWithDetails: get('/admin/drivers/with-details', 'admin', drivers),
  reviewDriver: send(
    'PATCH',
    '/admin/drivers/:id',
    'admin',
    z.object({ driver: DriverApplication }),
  ),
  adminZones: get('/admin/zones', 'admin', zones),
  addZone: send('POST', '/admin/zones', 'admin', z.object({ zone: Choice }), 201),
  removeZone: send('DELETE', '/admin/zones/:id', 'admin', message),
  adminItems: get('/admin/items', 'admin', items),
  adminAudit: get('/admin/audit', 'admin', z.object({ entries: z.array(AuditEntry), ...more })),
  adminDevice: get('/admin/support/:code', 'admin', z.object({ device: Device })),
  addItem: send('POST', '/admin/items', 'admin', z.object({ item: Choice }), 201),
  removeItem: send('DELETE', '/admin/items/:id', 'admin', message),
} satisfies Record<string, Endpoint>

export type Op = keyof typeof endpoints
/** The body of a call's response. */
export type ResponseOf<O extends Op> = z.infer<(typeof endpoints)[O]['response']>
