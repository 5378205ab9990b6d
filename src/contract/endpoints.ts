import * as z from 'zod/mini'
import { Choice } from '#domain/choices.ts'
import { Delivery, Status } from '#domain/delivery.ts'
import { Dispute } from '#domain/dispute.ts'
import { DriverApplication } from '#domain/driver.ts'
import { DriverStatus, Role, User } from '#domain/user.ts'
import { Activity, DriverCounts, Stats, Trends } from './answers.ts'
import {
  AnyPhone,
  DeliveryRequest,
  DisputeRequest,
  GuestDeliveryRequest,
  GuestDisputeRequest,
  Login,
  Name,
  NewPassword,
  Phone,
  Resolution,
  Signup,
  SmsCode,
} from './requests.ts'

/** Who may make a call at all; what they may see and change of a row is the domain's to say. */
export type By = 'anyone' | 'person' | 'driver' | 'admin' | 'guest' | 'person-or-guest'

export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/api`; `:id` is a row's ID. */
  path: string
  by: By
  takes?: z.ZodMiniType
  query?: z.ZodMiniType
  gives: z.ZodMiniObject
  /** The one named member of the answer; a bare array or object is read as this member. */
  member: string
  status: 200 | 201
}

/** Paging and `since` of every list (interfaces: reading less). */
const page = {
  limit: z.optional(z.string()),
  after: z.optional(z.string()),
  search: z.optional(z.string()),
  sort: z.optional(z.string()),
}
const Page = z.object(page)
const Deliveries = z.object({
  ...page,
  since: z.optional(z.string()),
  status: z.optional(z.string()),
})

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
const drivers = { ...more, counts: z.optional(DriverCounts) }

type Schema = z.ZodMiniType | undefined
/** One line of the table, its own schemas kept in its type: handlers and callers read theirs from here. */
type Line<G extends z.ZodMiniObject, T extends Schema, Q extends Schema> = Omit<
  Endpoint,
  'gives' | 'takes' | 'query'
> & { gives: G; takes: T; query: Q }

function get<G extends z.ZodMiniObject>(
  path: string,
  by: By,
  gives: G,
): Line<G, undefined, undefined>
function get<G extends z.ZodMiniObject, Q extends z.ZodMiniType>(
  path: string,
  by: By,
  gives: G,
  query: Q,
): Line<G, undefined, Q>
function get(path: string, by: By, gives: z.ZodMiniObject, query?: z.ZodMiniType): Endpoint {
  return { method: 'GET', path, by, gives, query, status: 200, member: memberOf(gives) }
}

type Sending = 'POST' | 'PATCH' | 'DELETE'
function send<G extends z.ZodMiniObject>(
  method: Sending,
  path: string,
  by: By,
  gives: G,
): Line<G, undefined, undefined>
function send<G extends z.ZodMiniObject, T extends z.ZodMiniType>(
  method: Sending,
  path: string,
  by: By,
  gives: G,
  takes: T,
  status?: 200 | 201,
): Line<G, T, undefined>
function send(
  method: Sending,
  path: string,
  by: By,
  gives: z.ZodMiniObject,
  takes?: z.ZodMiniType,
  status: 200 | 201 = 200,
): Endpoint {
  return { method, path, by, gives, takes, status, member: memberOf(gives) }
}

const memberOf = (gives: z.ZodMiniObject) => Object.keys(gives.shape)[0] as string

/** THE TABLE: every call the two sides may make of each other (spec §7, interfaces: the wire). */
export const endpoints = {
  // account
  login: send('POST', '/login', 'anyone', session, Login),
  signup: send('POST', '/signup', 'anyone', session, Signup, 201),
  logout: send('POST', '/logout', 'person', message),
  me: get('/users/me', 'person', z.object({ user: User, role: Role })),
  changePhone: send(
    'PATCH',
    '/users/me/phone',
    'person',
    message,
    z.object({ phone_number: Phone }),
  ),
  requestReset: send(
    'POST',
    '/password/request-reset',
    'anyone',
    message,
    z.object({ phone_number: AnyPhone }),
  ),
  resetPassword: send('POST', '/password/reset', 'anyone', message, NewPassword),
  confirmPhone: send('POST', '/verify/confirm', 'anyone', message, SmsCode),
  resendCode: send('POST', '/verify/resend', 'anyone', message, z.object({ phone_number: Phone })),
  // choices
  zones: get('/zones', 'anyone', zones),
  items: get('/items', 'anyone', items),
  config: get(
    '/config',
    'anyone',
    z.object({
      imageUploadUrl: z.string(),
      imageUploadPreset: z.string(),
      imageHost: z.string(),
    }),
  ),
  // sending
  senderDeliveries: get('/sender/deliveries', 'person', many, Deliveries),
  senderActiveDeliveries: get('/sender/active-deliveries', 'person', many, Deliveries),
  createDelivery: send('POST', '/sender/deliveries', 'person', one, DeliveryRequest, 201),
  createGuestDelivery: send(
    'POST',
    '/guest/deliveries',
    'anyone',
    z.object({ delivery: Delivery, guestToken: z.optional(z.string()) }),
    GuestDeliveryRequest,
    201,
  ),
  // driving
  driverStatus: get('/driver/status', 'driver', z.object({ status: DriverStatus })),
  availableDeliveries: get(
    '/driver/available-deliveries',
    'driver',
    many,
    z.extend(Deliveries, {
      pickupZone: z.optional(z.string()),
      dropoffZone: z.optional(z.string()),
    }),
  ),
  driverDeliveries: get(
    '/driver/my-deliveries',
    'driver',
    many,
    z.extend(Deliveries, { include_completed: z.optional(z.string()) }),
  ),
  acceptDelivery: send('PATCH', '/driver/deliveries/:id/accept', 'driver', one),
  completeDelivery: send(
    'POST',
    '/driver/deliveries/:id/complete',
    'driver',
    one,
    z.object({ code: z.string() }),
  ),
  // one delivery
  getDelivery: get('/deliveries/:id', 'person-or-guest', one),
  changeStatus: send(
    'PATCH',
    '/deliveries/:id/status',
    'person',
    one,
    z.object({ status: Status, proofOfDelivery: z.optional(z.string()) }),
  ),
  changeGuestStatus: send(
    'PATCH',
    '/guest/deliveries/:id/status',
    'guest',
    one,
    z.object({ status: Status, guestPhone: Phone }),
  ),
  // disputes
  createDispute: send(
    'POST',
    '/disputes',
    'person',
    z.object({ dispute: Dispute }),
    DisputeRequest,
    201,
  ),
  createGuestDispute: send(
    'POST',
    '/guest/disputes',
    'guest',
    z.object({ dispute: Dispute }),
    GuestDisputeRequest,
    201,
  ),
  // admin
  adminStats: get('/admin/stats', 'admin', z.object({ stats: Stats })),
  /** `days`: 1 to 366, 30 when missing. */
  adminTrends: get(
    '/admin/trends',
    'admin',
    z.object({ trends: Trends }),
    z.object({ days: z.optional(z.string()) }),
  ),
  adminActivities: get('/admin/activities', 'admin', z.object({ activities: z.array(Activity) })),
  adminUsers: get('/admin/users', 'admin', z.object({ users: z.array(User), ...more }), Page),
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
  adminDisputes: get(
    '/admin/disputes',
    'admin',
    z.object({ disputes: z.array(Dispute), ...more }),
    // Without it the open ones: that is the list of the specification.
    z.extend(Page, { status: z.optional(z.enum(['open', 'resolved', 'all'])) }),
  ),
  adminDispute: get(
    '/admin/disputes/:id',
    'admin',
    z.object({ dispute: Dispute, delivery: z.optional(Delivery) }),
  ),
  resolveDispute: send(
    'PATCH',
    '/admin/disputes/:id',
    'admin',
    z.object({ dispute: Dispute }),
    Resolution,
  ),
  adminDeliveries: get('/admin/deliveries', 'admin', many, Deliveries),
  adminDrivers: get(
    '/admin/drivers',
    'admin',
    z.object({ drivers: z.array(DriverApplication), ...drivers }),
    z.extend(Page, { status: z.optional(DriverStatus) }),
  ),
  adminDriversWithDetails: get(
    '/admin/drivers/with-details',
    'admin',
    z.object({ drivers: z.array(DriverApplication), ...drivers }),
    z.extend(Page, { status: z.optional(DriverStatus) }),
  ),
  reviewDriver: send(
    'PATCH',
    '/admin/drivers/:id',
    'admin',
    z.object({ driver: DriverApplication }),
    z.object({ status: z.enum(['approved', 'rejected']) }),
  ),
  adminZones: get('/admin/zones', 'admin', zones),
  addZone: send(
    'POST',
    '/admin/zones',
    'admin',
    z.object({ zone: Choice }),
    z.object({ name: Name }),
    201,
  ),
  removeZone: send('DELETE', '/admin/zones/:id', 'admin', message),
  adminItems: get('/admin/items', 'admin', items),
  addItem: send(
    'POST',
    '/admin/items',
    'admin',
    z.object({ item: Choice }),
    z.object({ name: Name }),
    201,
  ),
  removeItem: send('DELETE', '/admin/items/:id', 'admin', message),
} satisfies Record<string, Endpoint>

export type Op = keyof typeof endpoints
/** What a call takes as its body. */
export type Takes<O extends Op> = Read<(typeof endpoints)[O]['takes']>
/** What a call may carry after the `?`. */
export type Query<O extends Op> = Read<(typeof endpoints)[O]['query']>
/** What a call answers with. */
export type Gives<O extends Op> = z.infer<(typeof endpoints)[O]['gives']>
type Read<S> = S extends z.ZodMiniType ? z.infer<S> : undefined
