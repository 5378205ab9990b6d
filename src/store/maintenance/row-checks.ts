import * as z from 'zod/mini'
import { Choice } from '#domain/choices.ts'
import { SendDraft } from '#domain/deliveries/draft.ts'
import { GuestRecord } from '#domain/deliveries/guest.ts'
import { User } from '#domain/users/user.ts'
import { Zone } from '#domain/zones/zone.ts'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { quarantineUnreadable, type RowCheck } from '#sync/database/quarantine.ts'
import { upgradeEntries, whyUnreadable } from '#sync/outbox/upgrades.ts'
import { Row } from '../deliveries/row-schema.ts'
import { operations } from '../entries/operations.ts'
import type { SomaDb } from '../soma-db.ts'
import { freeEntries, freeRows, freeSharedList, mendProjections } from './free-set-aside.ts'

/**
 * Upgrades old entries, quarantines every unreadable row (S18) and frees what it held up (S57). `now`:
 * milliseconds since 1970. Returns how many rows it moved.
 */
export async function checkRows(db: SomaDb, now: number): Promise<number> {
  await upgradeEntries(db)
  const pending: [string, string][] = []
  const moved = await quarantineUnreadable(db, checksOf(db, now, pending), now)
  await mendProjections(db, pending)
  return moved
}

/** `pending` takes the keys of rows that show entries. */
const checksOf = (db: SomaDb, now: number, pending: [string, string][]): RowCheck[] => [
  {
    table: db.outbox,
    why: (row) => whyUnreadable(row as OutboxEntry, operations),
    free: (values) => freeEntries(db, values, now),
  },
  {
    table: db.deliveries,
    why: (row) => {
      const { data } = Row.safeParse(row)
      if (!data) return unreadable
      if (data.marks.length > 0) pending.push([data.account, data.ID])
      return undefined
    },
    free: (values) => freeRows(db, values),
  },
  { table: db.guests, why: fails(GuestRecord) },
  { table: db.drafts, why: fails(z.object({ value: SendDraft })) },
  { table: db.sessions, why: fails(z.object({ token: z.string(), user: User })) },
  { table: db.zones, why: fails(Zone), free: () => freeSharedList(db, 'zones') },
  { table: db.items, why: fails(Choice), free: () => freeSharedList(db, 'items') },
]

const unreadable = 'It could not be read.'

function fails(schema: z.ZodMiniType): (row: unknown) => string | undefined {
  return (row) => (schema.safeParse(row).success ? undefined : unreadable)
}
