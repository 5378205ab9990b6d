import * as z from 'zod/mini'
import { Delivery } from '#domain/delivery.ts'
import { GuestRecord } from '#domain/guest.ts'
import type { DeliveryRow } from './db.ts'

/** As much of a stored row as every screen relies on. */
export const Row = z.object({
  account: z.string(),
  ID: z.string(),
  view: Delivery,
  server: z.optional(Delivery),
  known: z.boolean(),
  marks: z.array(z.object({ entry: z.string(), op: z.string(), state: z.string() })),
})

export const isSoundRow = (row: DeliveryRow): boolean => Row.safeParse(row).success

export const isSoundGuest = (record: unknown): boolean => GuestRecord.safeParse(record).success
