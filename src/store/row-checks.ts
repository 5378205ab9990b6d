import * as z from 'zod/mini'
import { Choice } from '#domain/choices.ts'
import { SendDraft } from '#domain/deliveries/draft.ts'
import { GuestRecord } from '#domain/deliveries/guest.ts'
import { User } from '#domain/users/user.ts'
import { quarantineUnreadable, type RowCheck } from './database/quarantine.ts'
import { operations } from './deliveries/operations.ts'
import { Row } from './deliveries/row-schema.ts'
import type { OutboxEntry } from './outbox/entry.ts'
import { upgradeEntries, whyUnreadable } from './outbox/upgrades.ts'
import type { SomaDb } from './soma-db.ts'

/** Upgrades old entries and quarantines every unreadable row (S18). `now`: milliseconds since 1970. */
export async function checkRows(db: SomaDb, now: number): Promise<number> {
  await upgradeEntries(db)
  return quarantineUnreadable(db, checksOf(db), now)
}

const checksOf = (db: SomaDb): RowCheck[] => [
  { table: db.outbox, why: (row) => whyUnreadable(row as OutboxEntry, operations) },
  { table: db.deliveries, why: fails(Row) },
  { table: db.guests, why: fails(GuestRecord) },
  { table: db.drafts, why: fails(z.object({ value: SendDraft })) },
  { table: db.sessions, why: fails(z.object({ token: z.string(), user: User })) },
  { table: db.zones, why: fails(Choice) },
  { table: db.items, why: fails(Choice) },
]

function fails(schema: z.ZodMiniType): (row: unknown) => string | undefined {
  return (row) => (schema.safeParse(row).success ? undefined : 'It could not be read.')
}
