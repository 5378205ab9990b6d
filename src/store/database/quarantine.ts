import type { Table } from 'dexie'
import * as z from 'zod/mini'
import { Choice } from '#domain/choices.ts'
import { SendDraft } from '#domain/draft.ts'
import { GuestRecord } from '#domain/guest.ts'
import { User } from '#domain/user.ts'
import type { Entry } from '../deliveries/operations.ts'
import { Row } from '../deliveries/row-schema.ts'
import { isSound } from '../outbox/enqueue.ts'
import { entryVersion } from '../outbox/entry.ts'
import { upgradeEntries } from '../outbox/upgrades.ts'
import type { SomaDb } from '../soma-db.ts'
import { ownerOf } from './row-owner.ts'

/*
 * What cannot be read is kept as it was found, in a table of its own, and shown. It never stops
 * the rest and is never deleted in silence.
 */

const checks: { table: (db: SomaDb) => Table; why: (row: never) => string | undefined }[] = [
  { table: (db) => db.outbox as unknown as Table, why: whyEntry },
  { table: (db) => db.deliveries, why: fails(Row) },
  { table: (db) => db.guests as unknown as Table, why: fails(GuestRecord) },
  { table: (db) => db.drafts, why: fails(z.object({ value: SendDraft })) },
  {
    table: (db) => db.sessions as unknown as Table,
    why: fails(z.object({ token: z.string(), user: User })),
  },
  { table: (db) => db.zones as unknown as Table, why: fails(Choice) },
  { table: (db) => db.items as unknown as Table, why: fails(Choice) },
]

/** Moves every unreadable row of the tables that matter into `setAside`. Returns how many it moved. */
export async function setAsideUnreadable(db: SomaDb, now: number): Promise<number> {
  await upgradeEntries(db)
  let moved = 0
  for (const { table, why } of checks) moved += await sweep(db, table(db), why, now)
  return moved
}

async function sweep(
  db: SomaDb,
  table: Table,
  why: (row: never) => string | undefined,
  now: number,
) {
  return db.transaction('rw', table, db.setAside, async () => {
    const found: { key: unknown; value: unknown; reason: string }[] = []
    await table.each((value, cursor) => {
      const reason = why(value as never)
      if (reason) found.push({ key: cursor.primaryKey, value, reason })
    })
    await db.setAside.bulkAdd(
      found.map(({ value, reason }) => ({
        from: table.name,
        value: withoutToken(value),
        why: reason,
        at: now,
        account: ownerOf(value),
      })),
    )
    await table.bulkDelete(found.map(({ key }) => key))
    return found.length
  })
}

/** An unreadable login is nobody's to open again: its token is not worth keeping, and not to be shown. */
const withoutToken = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'token' in value
    ? { ...value, token: undefined }
    : value

function whyEntry(entry: Entry): string | undefined {
  if (entry.v !== entryVersion) return `Made by another version of the app (${String(entry.v)}).`
  return isSound(entry) ? undefined : 'It could not be read.'
}

function fails(schema: z.ZodMiniType): (row: unknown) => string | undefined {
  return (row) => (schema.safeParse(row).success ? undefined : 'It could not be read.')
}
