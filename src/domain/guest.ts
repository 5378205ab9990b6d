import * as z from 'zod/mini'
import { times } from './product.ts'

/** What the browser keeps so that a guest can track one delivery (spec §3, §4). `createdAt` is ISO 8601. */
export const GuestRecord = z.object({
  id: z.string(),
  senderName: z.string(),
  senderPhone: z.string(),
  createdAt: z
    .string()
    .check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'It says no time.')),
  guestToken: z.optional(z.string()),
})
export type GuestRecord = z.infer<typeof GuestRecord>

/** Valid 24 hours from creation (spec §9). `now` in milliseconds since 1970. */
export function isGuestRecordValid(record: GuestRecord, now: number): boolean {
  const age = now - Date.parse(record.createdAt)
  return age < times.guestRecord
}
