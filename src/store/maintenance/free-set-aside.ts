import { note } from '#sync/database/device/diagnostics.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { isUnsent, needsUpdate, type OutboxEntry, refusedEntry } from '#sync/database/entry.ts'
import { getMany } from '#sync/database/get-many.ts'
import { writeInParts } from '#sync/database/write-in-parts.ts'
import { dependantsOf } from '#sync/outbox/unsent.ts'
import { outboxModel } from '../deliveries/outbox-model.ts'
import { isCreate } from '../deliveries/project.ts'
import { projection, projectLanes } from '../deliveries/projection.ts'
import type { Entry } from '../entries/operations.ts'
import type { DeliveryRow } from '../rows.ts'
import { ofAccount } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'

/* What a row that is set aside held up is free again (S57). Inside the transaction that sets it aside. */

/** Entries that only made sense with these are refused, with the reason. `now`: milliseconds since 1970. */
export async function freeEntries(
  db: SomaDb,
  values: readonly unknown[],
  now: number,
): Promise<void> {
  for (const value of values) {
    const { id, account, lane, op, title } = { ...(value as Partial<Entry>) }
    if (typeof account !== 'string') continue
    const entry = { id, account, lane, op, input: {}, occurredAt: '' } as unknown as OutboxEntry
    const later = typeof lane === 'string' ? await outboxModel.invalidatedBy(db, entry) : []
    const lost = [...(await dependantsOf(db, entry)), ...later] as Entry[]
    for (const each of lost.filter(isCreate))
      lost.push(...((await outboxModel.invalidatedBy(db, each)) as Entry[]))
    const about = typeof title === 'string' && title !== '' ? `“${title}”` : 'What this depends on'
    const because = {
      reason: 'skipped',
      message: `${about} couldn’t be read on this phone.`,
      because: typeof id === 'string' ? id : undefined,
    } as const
    const refused = [...new Map(lost.map((each) => [each.id, each])).values()]
    await db.outbox.bulkPut(refused.map((each) => refusedEntry(each, because, now)))
    await projectLanes(db, refused)
  }
}

/** Lists of whoever held these rows come whole again: no cursor would bring a row back. */
export async function freeRows(db: SomaDb, values: readonly unknown[]): Promise<void> {
  const accounts = new Set(values.map((value) => (value as Partial<DeliveryRow> | null)?.account))
  for (const account of accounts)
    if (typeof account === 'string') await ofAccount(db.pulls, 'list', account).delete()
}

/** A list that is the same for everybody comes whole again. */
export const freeSharedList = (db: SomaDb, list: 'zones' | 'items') => db.pulls.delete(['', list])

/**
 * Projects every row that does not show the entries of its lane: those it shows are gone, or those there
 * are do not stand in it. Also mends what an earlier version set aside.
 * `showing`: keys of the rows that show entries.
 */
export async function mendProjections(
  db: SomaDb,
  showing: readonly [string, string][],
): Promise<void> {
  const tables = [db.outbox, db.deliveries, db.sessions]
  await db.transaction('rw', tables, async () => {
    const all = await db.outbox.toArray()
    const rows = await getMany(db.deliveries, showing)
    const pending = all.filter((each) => isUnsent(each) || each.state === 'refused')
    const wrong = [...rowsToMend(rows, pending), ...(await lanesToMend(db, pending))]
    for (const account of new Set(wrong.map((each) => each.account))) {
      const lanes = wrong.filter((each) => each.account === account).map(({ lane }) => lane)
      await writeInParts(await projection.project(db, account, { lanes }))
      note('Rows were projected again', { error: `${lanes.length} of them` })
    }
  })
}

type Lane = { account: string; lane: string }

function rowsToMend(rows: readonly (DeliveryRow | undefined)[], pending: readonly Entry[]): Lane[] {
  const byId = new Map(pending.map((entry) => [entry.id, entry]))
  const isRight = ({ known, marks }: DeliveryRow) => {
    const entries = marks.map(({ entry }) => byId.get(entry))
    if (entries.includes(undefined)) return false
    return known || entries.some((entry) => entry && isCreate(entry) && !needsUpdate(entry))
  }
  return rows.flatMap((row) =>
    row && !isRight(row) ? [{ account: row.account, lane: row.ID }] : [],
  )
}

async function lanesToMend(db: SomaDb, pending: readonly Entry[]): Promise<Lane[]> {
  const session = await db.sessions.get('current')
  const shown = pending.filter(
    (entry) =>
      (entry.account === guestAccount || entry.account === session?.account) &&
      projection.isShown(entry) &&
      !needsUpdate(entry),
  )
  const rows = await db.deliveries.bulkGet(shown.map(({ account, lane }) => [account, lane]))
  return shown.filter((entry, at) => {
    const row = rows[at]
    // One whose create is gone has no row to stand in.
    return row ? !row.marks.some((mark) => mark.entry === entry.id) : isCreate(entry)
  })
}
