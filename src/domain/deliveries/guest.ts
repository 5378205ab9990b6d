import * as z from 'zod/mini'
import { times } from '../product.ts'

/** What the phone stores so that a guest can track one delivery (R58). `createdAt` is ISO 8601. */
export const GuestRecord = z.object({
  id: z.string(),
  senderName: z.string(),
  senderPhone: z.string(),
  createdAt: z
    .string()
    .check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'This is not a time.')),
  guestToken: z.optional(z.string()),
})
export type GuestRecord = z.infer<typeof GuestRecord>

/** Whether a record is less than 24 hours old (R58). `now`: milliseconds since 1970. */
export function isGuestRecordValid(record: GuestRecord, now: number): boolean {
  const age = now - Date.parse(record.createdAt)
  return age < times.guestRecord
}
