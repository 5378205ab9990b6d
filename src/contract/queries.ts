import * as z from 'zod/mini'
import { DriverStatus, OfficeRole } from '#domain/users/user.ts'
import { operationBodies } from '#operations/bodies.ts'
import { Phone, requiredText } from '#operations/fields.ts'
import type { Op } from './endpoints.ts'
import {
  AccountDeletion,
  AnyPhone,
  DriverFields,
  FactorCode,
  FactorEnd,
  FactorStart,
  GuestRecovery,
  GuestRecoveryCode,
  InvitationReply,
  Login,
  NewInvitation,
  NewPassword,
  NotificationReceipt,
  PaymentTry,
  PayoutCode,
  PayoutRequest,
  ProfileChange,
  RequestKeys,
  Signup,
  SmsCode,
  SubscriptionRequest,
  Withdrawal,
} from './requests.ts'

/** Schemas of what a call sends: its JSON body, and the query after the `?`. */
export type RequestSchema = { body?: z.ZodMiniType; query?: z.ZodMiniType }

const page = { limit: z.optional(z.string()), after: z.optional(z.string()) }
/** Every list of deliveries. A query field only narrows a list; it never adds rows (R53). */
const deliveries = {
  ...page,
  since: z.optional(z.string()),
  status: z.optional(z.string()),
}
const Deliveries = z.object(deliveries)
/** Only admin lists: a search over rows that the caller may not see would reveal them (R74). */
const admin = { search: z.optional(z.string()), sort: z.optional(z.string()) }
const Page = z.object({ ...page, ...admin })
/** Zones of the route, by their names. */
const route = { pickupZone: z.optional(z.string()), dropoffZone: z.optional(z.string()) }
/** `createdFrom` and `createdTo`: the first and the last day, `2026-11-21`, of Ghana's calendar. */
const AdminDeliveries = z.object({
  ...deliveries,
  ...admin,
  ...route,
  createdFrom: z.optional(z.string()),
  createdTo: z.optional(z.string()),
})
const Drivers = z.extend(Page, { status: z.optional(DriverStatus) })
const Choices = z.object(admin)
/** `confirm=1`: also if deliveries under way use it (R208). */
const Removal = z.object({ confirm: z.optional(z.string()) })
const ByPhone = z.object({ phone_number: Phone })

/** The request schemas of the endpoint table, under the same names; a call that sends nothing is not here. */
export const requestSchemas = {
  ...operationBodies,
  login: { body: Login },
  signup: { body: Signup },
  applyAsDriver: { body: DriverFields },
  changeProfile: { body: ProfileChange },
  deleteMe: { body: AccountDeletion },
  inviteColleague: { body: NewInvitation },
  acceptInvitation: { body: InvitationReply },
  startSecondFactor: { body: FactorStart },
  confirmSecondFactor: { body: z.object({ code: FactorCode }) },
  endSecondFactor: { body: FactorEnd },
  changeColleague: { body: z.object({ role: OfficeRole }) },
  requestReset: { body: z.object({ phone_number: AnyPhone }) },
  resetPassword: { body: NewPassword },
  confirmPhone: { body: SmsCode },
  resendCode: { body: ByPhone },
  changePayout: { body: PayoutRequest },
  confirmPayout: { body: PayoutCode },
  payDelivery: { body: PaymentTry },
  senderDeliveries: { query: Deliveries },
  senderActiveDeliveries: { query: Deliveries },
  availableDeliveries: {
    // `from`, `to`: jobs on the way between these zones (R164). `detour`: kilometres, 0 to 10.
    query: z.extend(Deliveries, {
      ...route,
      from: z.optional(z.string()),
      to: z.optional(z.string()),
      detour: z.optional(z.string()),
    }),
  },
  driverDeliveries: {
    query: z.extend(Deliveries, { include_completed: z.optional(z.string()) }),
  },
  /** Zones by their names. */
  priceGuide: {
    query: z.object({ from: requiredText('Pickup zone'), to: requiredText('Drop-off zone') }),
  },
  /** The first and the last day, `2026-11-21`, both included. */
  driverEarnings: { query: z.object({ from: z.optional(z.string()), to: z.optional(z.string()) }) },
  withdrawRequest: { body: Withdrawal },
  knownRequests: { body: RequestKeys },
  recoverGuest: { body: GuestRecovery },
  confirmGuestRecovery: { body: GuestRecoveryCode },
  subscribe: { body: SubscriptionRequest },
  confirmNotification: { body: NotificationReceipt },
  /** `days`: 1 to 366, 30 when missing. */
  adminTrends: { query: z.object({ days: z.optional(z.string()) }) },
  adminSearch: { query: z.object({ q: requiredText('Search') }) },
  adminUsers: { query: Page },
  // Without a status: the open ones (R32).
  adminDisputes: {
    query: z.extend(Page, { status: z.optional(z.enum(['open', 'resolved', 'all'])) }),
  },
  adminDeliveries: { query: AdminDeliveries },
  adminDrivers: { query: Drivers },
  adminDriversWithDetails: { query: Drivers },
  /** Of Ghana's calendar, `2026-11-21`, both included. */
  adminMoney: { query: z.object({ from: z.optional(z.string()), to: z.optional(z.string()) }) },
  /** Statuses with commas between them; all without. */
  adminPayouts: { query: z.extend(Page, { status: z.optional(z.string()) }) },
  adminZones: { query: Choices },
  adminItems: { query: Choices },
  removeZone: { query: Removal },
  removeItem: { query: Removal },
  adminAudit: { query: Page },
} satisfies Partial<Record<Op, RequestSchema>>

type Schemas = typeof requestSchemas
/** The JSON body of a call. */
export type BodyOf<O extends Op> = O extends keyof Schemas ? Read<Schemas[O], 'body'> : undefined
/** The query of a call. */
export type QueryOf<O extends Op> = O extends keyof Schemas ? Read<Schemas[O], 'query'> : undefined
type Read<A, K extends keyof RequestSchema> =
  A extends Record<K, infer S extends z.ZodMiniType> ? z.infer<S> : undefined

/** The schemas of a call; empty for one that sends nothing. */
export const requestSchemaOf = (op: Op): RequestSchema =>
  (requestSchemas as Partial<Record<Op, RequestSchema>>)[op] ?? {}
