import type { Table } from 'dexie'
import { note } from './device/diagnostics.ts'
import type { EngineDb } from './engine-db.ts'

/** Rows read in one go: a cursor takes ten times as long, and all at once may not fit in memory. */
const rowsAtOnce = 500

/** A table whose rows are looked at when the app starts, and why a row of it cannot be read. */
export type RowCheck = {
  table: Table
  why: (row: unknown) => string | undefined
  /** Frees what the rows held up (S57); inside the transaction over all tables that sets them aside. */
  free?: (values: unknown[]) => Promise<unknown>
}

/**
 * Moves every unreadable row into a table of its own, as it was found: it never stops the rest and is
 * never deleted in silence (S18). `now`: milliseconds since 1970. Returns how many it moved.
 */
export async function quarantineUnreadable(
  db: EngineDb,
  checks: readonly RowCheck[],
  now: number,
): Promise<number> {
  let moved = 0
  for (const check of checks) moved += await checkTable(db, check, now)
  return moved
}

async function checkTable(
  db: EngineDb,
  { table, why, free }: RowCheck,
  now: number,
): Promise<number> {
  if (!(await hasUnreadable(table, why))) return 0
  return db.transaction('rw', db.tables, async () => {
    const found: { key: unknown; value: unknown; reason: string }[] = []
    await table.each((value, cursor) => {
      const reason = why(value)
      if (reason) found.push({ key: cursor.primaryKey, value, reason })
    })
    await db.setAside.bulkAdd(
      found.map(({ value, reason }) => ({
        from: table.name,
        value: withoutToken(value),
        why: reason,
        at: now,
        account: rowOwner(value),
      })),
    )
    await table.bulkDelete(found.map(({ key }) => key))
    await free?.(found.map(({ value }) => value))
    for (const { reason } of found) note(`A row of ${table.name} was set aside`, { error: reason })
    return found.length
  })
}

/** Most phones hold nothing of the kind: looked for without keeping others from writing, a page at a time. */
async function hasUnreadable(table: Table, why: RowCheck['why']): Promise<boolean> {
  const { extractKey } = table.core.schema.primaryKey
  let some = false
  let page = await table.orderBy(':id').limit(rowsAtOnce).toArray()
  while (page.length > 0) {
    // Each row is looked at: what reads them may note what it finds.
    for (const row of page) some = why(row) !== undefined || some
    const last = extractKey?.(page.at(-1))
    if (page.length < rowsAtOnce || last === undefined) return some
    page = await table.where(':id').above(last).limit(rowsAtOnce).toArray()
  }
  return some
}

/** An unreadable login is nobody's to open again: its token is not worth keeping, and not to be shown. */
const withoutToken = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'token' in value
    ? { ...value, token: undefined }
    : value

/** The account a row belongs to, if the row names one; for a row in quarantine, the account it belonged to. */
export function rowOwner(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null) return undefined
  const { account, value } = row as { account?: unknown; value?: unknown }
  if (typeof account === 'string') return account
  return value === undefined ? undefined : rowOwner(value)
}
