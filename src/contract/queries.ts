import * as z from 'zod/mini'
import { Status } from '#domain/delivery.ts'
import { DriverStatus } from '#domain/user.ts'
import type { Op } from './endpoints.ts'
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

/** What a call may carry: `takes` in its body, `query` after the `?`. */
export type RequestSchema = { body?: z.ZodMiniType; query?: z.ZodMiniType }

const page = { limit: z.optional(z.string()), after: z.optional(z.string()) }
/** Every list of deliveries. Which rows a person may see is no field's to widen: these only narrow. */
const deliveries = {
  ...page,
  since: z.optional(z.string()),
  status: z.optional(z.string()),
}
const Deliveries = z.object(deliveries)
/** Admin lists alone are searched and sorted: a search over rows one may not see would tell of them. */
const admin = { search: z.optional(z.string()), sort: z.optional(z.string()) }
const Page = z.object({ ...page, ...admin })
const AdminDeliveries = z.object({ ...deliveries, ...admin })
const Drivers = z.extend(Page, { status: z.optional(DriverStatus) })
const Choices = z.object(admin)
const Named = z.object({ name: Name })
const ByPhone = z.object({ phone_number: Phone })

/** The asking half of THE TABLE (`endpoints.ts`), by the same names; a call that carries nothing is not in it. */
export const requestSchemas = {
  login: { body: Login },
  signup: { body: Signup },
  changePhone: { body: ByPhone },
  requestReset: { body: z.object({ phone_number: AnyPhone }) },
  resetPassword: { body: NewPassword },
  confirmPhone: { body: SmsCode },
  resendCode: { body: ByPhone },
  senderDeliveries: { query: Deliveries },
  senderActiveDeliveries: { query: Deliveries },
  createDelivery: { body: DeliveryRequest },
  createGuestDelivery: { body: GuestDeliveryRequest },
  availableDeliveries: {
    query: z.extend(Deliveries, {
      pickupZone: z.optional(z.string()),
      dropoffZone: z.optional(z.string()),
    }),
  },
  driverDeliveries: {
    query: z.extend(Deliveries, { include_completed: z.optional(z.string()) }),
  },
  completeDelivery: { body: z.object({ code: z.string() }) },
  changeStatus: {
    body: z.object({ status: Status, proofOfDelivery: z.optional(z.string()) }),
  },
  changeGuestStatus: { body: z.object({ status: Status, guestPhone: Phone }) },
  createDispute: { body: DisputeRequest },
  createGuestDispute: { body: GuestDisputeRequest },
  /** `days`: 1 to 366, 30 when missing. */
  adminTrends: { query: z.object({ days: z.optional(z.string()) }) },
  adminUsers: { query: Page },
  // Without a status the open ones: that is the list of the specification.
  adminDisputes: {
    query: z.extend(Page, { status: z.optional(z.enum(['open', 'resolved', 'all'])) }),
  },
  resolveDispute: { body: Resolution },
  adminDeliveries: { query: AdminDeliveries },
  adminDrivers: { query: Drivers },
  adminDriversWithDetails: { query: Drivers },
  reviewDriver: { body: z.object({ status: z.enum(['approved', 'rejected']) }) },
  adminZones: { query: Choices },
  adminItems: { query: Choices },
  adminAudit: { query: Page },
  addZone: { body: Named },
  addItem: { body: Named },
} satisfies Partial<Record<Op, RequestSchema>>

type Asks = typeof requestSchemas
/** What a call takes as its body. */
export type BodyOf<O extends Op> = O extends keyof Asks ? Read<Asks[O], 'body'> : undefined
/** What a call may carry after the `?`. */
export type QueryOf<O extends Op> = O extends keyof Asks ? Read<Asks[O], 'query'> : undefined
type Read<A, K extends keyof RequestSchema> =
  A extends Record<K, infer S extends z.ZodMiniType> ? z.infer<S> : undefined

/** `undefined` for a call that carries nothing. */
export const requestSchemaOf = (op: Op): RequestSchema =>
  (requestSchemas as Partial<Record<Op, RequestSchema>>)[op] ?? {}
