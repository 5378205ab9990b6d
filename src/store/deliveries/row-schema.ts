import * as z from 'zod/mini'
import { Delivery } from '#domain/deliveries/delivery.ts'
import { GuestRecord } from '#domain/deliveries/guest.ts'
import type { DeliveryRow } from '../rows.ts'

/** As much of a stored row as every screen relies on. */
export const Row = z.object({
  account: z.string(),
  ID: z.string(),
  view: Delivery,
  server: z.optional(Delivery),
  known: z.boolean(),
  marks: z.array(z.object({ entry: z.string(), op: z.string(), state: z.string() })),
})

/** Every row that `fold` makes carries it; to be raised when a row's shape changes. */
export const rowVersion = 1

/** Our own rows were read with care before they were written: a long list is not read twice. */
export const isCurrentRow = (row: DeliveryRow): boolean =>
  row.v === rowVersion || Row.safeParse(row).success

/** The server's last version of this row; nothing when the server does not know the row. */
export const serverRow = (row: DeliveryRow): Delivery | undefined =>
  row.known ? (row.server ?? row.view) : undefined

/** Whether a stored record of a guest can be read. */
export const isReadableGuest = (record: unknown): boolean => GuestRecord.safeParse(record).success
