import * as z from 'zod/mini'
import { times } from '../product.ts'

const Time = z
  .string()
  .check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'This is not a time.'))

/** What the phone stores so that a guest can track one delivery (R58). Times are ISO 8601. */
export const GuestRecord = z.object({
  id: z.string(),
  senderName: z.string(),
  senderPhone: z.string(),
  /** By the server's clock once it has answered, by this device's until then. */
  createdAt: Time,
  /** By this device's clock, which may run ahead of the server's. */
  madeAt: z.optional(Time),
  guestToken: z.optional(z.string()),
  /** Who was logged in when it was made: it is shown to them alone. */
  login: z.optional(z.string()),
  /** The guest has approved it on this phone: the record goes once that has arrived (R58). */
  isApproved: z.optional(z.literal(true)),
  /** The guest has approved: it is shown no more, and stays only for what is still to be sent. */
  isSignedOff: z.optional(z.literal(true)),
  /** Our server refuses the token: the delivery was opened on another phone since (S74). */
  moved: z.optional(z.literal(true)),
})
export type GuestRecord = z.infer<typeof GuestRecord>

/**
 * Whether a record is less than 24 hours old and its guest has not approved (R58): by the time of either clock that
 * made it, because a phone's clock that runs ahead hides nothing. `now`: by this device's clock, milliseconds since 1970.
 */
export const isGuestRecordValid = (record: RecordTimes, now: number): boolean =>
  now < guestRecordEnd(record)

/** Until when a record is valid, milliseconds since 1970, as `isGuestRecordValid` has it. */
export const guestRecordEnd = ({
  createdAt,
  madeAt = createdAt,
  isSignedOff,
}: RecordTimes): number =>
  isSignedOff ? 0 : Math.max(Date.parse(createdAt), Date.parse(madeAt)) + times.guestRecord

type RecordTimes = Pick<GuestRecord, 'createdAt' | 'madeAt' | 'isSignedOff'>
