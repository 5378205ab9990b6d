import type { PromiseExtended } from 'dexie'
import { guestAccount, type Quarantined } from '#sync/database/engine-db.ts'
import { entryStates } from '#sync/database/entry.ts'
import type { Entry } from '../entries/operations.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'

/*
 * What a person asked for as a guest while they were logged in is theirs: nobody else who uses this phone is shown it, nor
 * what was done about it, however the login ended (R58). It is sent, and its record kept, as that of any guest.
 */

type Record = { id?: unknown; login?: unknown }
type IDs = ReadonlySet<string>

/*
 * Dexie's own promises throughout: these are read in the middle of live queries, which lose track of what an `async`
 * function that awaits nothing of Dexie's hands on.
 */

/** IDs of the guests' deliveries that are somebody's who is not logged in now. */
export const hiddenGuests = (db: SomaDb): PromiseExtended<IDs> =>
  db.guests.toArray().then((records) => ofOthers(db, records))

/** Most phones have none of anybody's, and need not read who is logged in. */
function ofOthers(db: SomaDb, records: readonly Record[]): IDs | PromiseExtended<IDs> {
  const owned = records.filter(({ login }) => login !== undefined)
  if (owned.length === 0) return new Set<string>()
  return currentSession(db).then((session) => {
    const current = session?.expired ? undefined : session?.account
    return new Set(owned.flatMap(({ id, login }) => (login === current ? [] : [`${id}`])))
  })
}

/** The `seq` of each entry about such a delivery, and of its photo's. */
export const hiddenEntries = (db: SomaDb): PromiseExtended<ReadonlySet<number>> =>
  hiddenGuests(db)
    .then((ids) => entriesAbout(db, ids))
    .then((entries) => new Set(entries.map(({ seq }) => seq)))

/** Guests' entries about these deliveries, and the uploads that they wait for. */
export const entriesAbout = (db: SomaDb, ids: IDs): Entry[] | PromiseExtended<Entry[]> =>
  ids.size === 0
    ? []
    : db.outbox
        .where('[account+state]')
        .anyOf(entryStates.map((state) => [guestAccount, state]))
        .toArray()
        .then((entries) => withParents(entries, ids))

/** Rows of the outbox, also such as cannot be read, that are about these deliveries, and the uploads they wait for. */
function withParents<R extends object>(rows: readonly R[], ids: IDs): R[] {
  const ours = rows.filter((row) => isAbout(row, ids))
  const parents = new Set(ours.flatMap((row) => ('after' in row ? row.after : [])))
  return rows.filter((row) => ours.includes(row) || ('id' in row && parents.has(row.id)))
}

function isAbout(row: object, ids: IDs): boolean {
  const { id, ID, lane, input } = row as { [key: string]: unknown }
  return [id, ID, lane, (input as Record | undefined)?.id].some((each) => ids.has(each as string))
}

/** Of rows that cannot be read, those that are not about such a delivery. */
export async function withoutHidden(
  db: SomaDb,
  setAside: readonly Quarantined[],
): Promise<Quarantined[]> {
  const values = setAside.map(({ value }) => (value ?? {}) as object)
  const records = values.filter((value, at) => setAside[at]?.from === 'guests' && 'login' in value)
  const hidden = new Set([...(await ofOthers(db, records)), ...(await hiddenGuests(db))])
  const about = new Set(withParents([...(await entriesAbout(db, hidden)), ...values], hidden))
  return setAside.filter(
    ({ account = guestAccount }, at) => account !== guestAccount || !about.has(values[at] ?? {}),
  )
}
