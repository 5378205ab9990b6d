import { customType, timestamp } from 'drizzle-orm/pg-core'

/** Bytes, as JavaScript has them. */
export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value),
  fromDriver: (value) => new Uint8Array(value),
})

/** The transaction that last wrote a row: cursors compare with it. A text, because it has 64 bits. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

/** A point in time, to the millisecond. */
export const moment = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
