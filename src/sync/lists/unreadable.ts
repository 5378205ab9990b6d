import { buildNumber } from '#contract/version.ts'
import type { EngineDb, Quarantined } from '../database/engine-db.ts'
import { kindOf, pullInFull } from './full-pulls.ts'
import { isStillHere } from './pulls.ts'

/** What one response says of rows that this version cannot read (S48). */
export type UnreadableRows = {
  found: unknown[]
  /** IDs of rows that were read. */
  read: string[]
  /** IDs of rows that the list no longer has; another list may have them still. */
  removed: string[]
  /** The response is the whole list: what is not among `found` is no longer unreadable. */
  isWhole: boolean
}

/** The server's name of a row, or what stands for it where none can be read. */
export function rowId(row: unknown): string {
  const { ID, id } = (typeof row === 'object' && row !== null ? row : {}) as Record<string, unknown>
  const name = ID ?? id
  return typeof name === 'string' ? name : JSON.stringify(row).slice(0, 200)
}

/**
 * Keeps each row that could not be read once for each list, and forgets those that the list has no longer
 * or that can be read; inside the caller's transaction (S48). Another list that could not read such a row is
 * asked for in full: only it says whether the row belongs to it. `at`: milliseconds since 1970.
 */
export async function saveUnreadable(
  db: EngineDb,
  { account, list, at }: { account: string; list: string; at: number },
  { found, read, removed, isWhole }: UnreadableRows,
): Promise<void> {
  const known = (await db.setAside.toArray()).filter(isOf(account))
  if (known.length === 0 && found.length === 0) return
  const rows = new Map(found.map((value) => [rowId(value), value]))
  const readable = new Set(read.filter((id) => !rows.has(id)))
  const gone = new Set(removed)
  const isOver = ({ from, row = '' }: Quarantined) =>
    readable.has(row) || (from === list && (isWhole || gone.has(row) || rows.has(row)))
  const over = known.filter(isOver)
  await db.setAside.bulkDelete(over.flatMap(({ id }) => (id ? [id] : [])))
  const others = over.filter(({ from }) => from !== list)
  if (others.length > 0)
    await pullInFull(db, account, [...new Set(others.map(({ from }) => kindOf(from)))])
  await db.setAside.bulkAdd(
    [...rows].map(([row, value]) => ({
      from: list,
      row,
      value,
      why: 'The server sent it in a form this app cannot read.',
      build: buildNumber,
      at,
      account: account === '' ? undefined : account,
    })),
  )
}

/** The whole response to a list, or to one thing, could not be read. `at`: milliseconds since 1970. */
export async function noteUnreadable(
  db: EngineDb,
  about: { account: string; list: string; at: number },
  id: string,
): Promise<void> {
  await db.transaction('rw', [db.setAside, db.sessions], async () => {
    if (!(await isStillHere(db, about.account))) return
    await saveUnreadable(db, about, { found: [{ ID: id }], read: [], removed: [], isWhole: false })
  })
}

/** Rows of the account's lists, and not of this phone's own tables. */
const isOf = (account: string) => (each: Quarantined) =>
  each.row !== undefined && (each.account ?? '') === account

/** Rows of one list of the account that an update may read; of every list without `list`. */
export const unreadableOf = async (
  db: EngineDb,
  account: string,
  list?: string,
): Promise<Quarantined[]> =>
  (await db.setAside.toArray()).filter(
    (each) => isOf(account)(each) && (list === undefined || each.from === list),
  )
