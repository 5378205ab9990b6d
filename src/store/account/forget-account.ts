import { Dexie, type Table } from 'dexie'
import { forgetUnstored } from '#sync/database/device/diagnostics.ts'
import { guestAccount, type Quarantined } from '#sync/database/engine-db.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { rowOwner } from '#sync/database/quarantine.ts'
import { addTexts } from '../deliveries/photos/photos.ts'
import type { Entry } from '../entries/operations.ts'
import type { DeliveryRow } from '../rows.ts'
import { ofAccount } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { staysAtLogout } from './stays-at-logout.ts'

/*
 * What a logout takes away. Every row of the account goes, in whatever table it stands, unless a rule
 * below keeps it: a table that is added later forgets by itself.
 */

/** What stays of somebody who has logged out: `keep` is what only this phone has. */
export type Unsent = 'keep' | 'discard'

/** Tables of which an unreadable row is only on this phone; the server has the others. */
const onlyHere = new Set(['outbox', 'drafts', 'photos', 'guests'])
/** Tables and lists that hold the same for everybody. */
const shared = new Set(['zones', 'items', 'config'])

/** Inside the caller's transaction over all tables: the session and every row of the account. */
export async function forgetAccount(db: SomaDb, account: string, unsent: Unsent): Promise<void> {
  const session = await db.sessions.get('current')
  if (session?.account === account) await db.sessions.delete('current')
  const needed = await neededOf(db, account, unsent)
  for (const table of db.tables) await forgetRows(table, account, needed)
  forgetUnstored()
  await hideCodes(db, account)
  await db.setAside.filter(isNobodys).delete()
  await db.meta.filter(({ key }) => !staysAtLogout.has(key)).delete()
}

/** Whose login has expired still sees how their entries ended (S7). */
const staysWithExpired = new Set(['sessions', 'outbox'])

/**
 * Inside the caller's transaction over all tables: every row of a login that has expired, but its session,
 * its entries and what the unsent ones cannot be shown without (S59).
 */
export async function forgetExpired(db: SomaDb, account: string): Promise<void> {
  const needed = await neededOf(db, account, 'keep')
  for (const table of db.tables)
    if (!staysWithExpired.has(table.name)) await forgetRows(table, account, needed)
  await hideCodes(db, account)
  await db.meta.filter(({ key }) => !staysAtLogout.has(key)).delete()
}

/** Whether an entry that was on its way while its person logged out has ended since. */
export async function hasLateReplies(db: SomaDb): Promise<boolean> {
  const session = await db.sessions.get('current')
  for (const account of await accountsIn(db.outbox as unknown as Table)) {
    if (account === guestAccount || account === session?.account) continue
    const ended = db.outbox.where('[account+state]').anyOf([
      [account, 'done'],
      [account, 'cancelled'],
    ])
    if ((await ended.count()) > 0) return true
  }
  return false
}

/** Accounts that have rows here and are not logged in. */
export async function forgetStrangers(db: SomaDb): Promise<void> {
  await db.transaction('rw', db.tables, async () => {
    const session = await db.sessions.get('current')
    const known = new Set([guestAccount, '', session?.account])
    const found = new Set<string>()
    for (const table of db.tables) for (const each of await accountsIn(table)) found.add(each)
    for (const account of found) {
      if (known.has(account)) continue
      const needed = await neededOf(db, account, 'keep')
      for (const table of db.tables) await forgetRows(table, account, needed)
      await hideCodes(db, account)
    }
  })
}

/** What is unsent, and what it cannot be sent or shown without. */
type Needed = {
  entries: ReadonlySet<string>
  photos: ReadonlySet<string>
  /** IDs that entries are about, as they were when the entries were made. */
  subjects: ReadonlySet<string>
  unsent: Unsent
}

async function neededOf(db: SomaDb, account: string, unsent: Unsent): Promise<Needed> {
  const [entries, photos, subjects] = [new Set<string>(), new Set<string>(), new Set<string>()]
  if (unsent === 'discard') return { entries, photos, subjects, unsent }
  await db.outbox.each((entry) => {
    if (entry.account !== account || !isKept(entry)) return
    entries.add(entry.id)
    subjects.add(entry.lane)
    if ('id' in entry.input) subjects.add(entry.input.id)
    for (const photo of entry.photos) photos.add(photo)
    if ('photo' in entry.input && entry.input.photo) photos.add(entry.input.photo)
  })
  await db.drafts.each((draft) => {
    if (draft.account === account && draft.value.photo) photos.add(draft.value.photo)
  })
  await db.setAside.each((row) => {
    if (rowOwner(row) === account && onlyHere.has(row.from)) addTexts(row.value, photos)
  })
  return { entries, photos, subjects, unsent }
}

/** A refused entry has not reached the server either: its person may want to edit it. */
const isKept = (entry: Entry): boolean => isUnsent(entry) || entry.state === 'refused'

/** Which rows of an account stay; of a table that is not named here none do. */
const staying: Record<string, (row: never, needed: Needed) => boolean> = {
  outbox: ({ id }: Entry, { entries }) => entries.has(id),
  deliveries: ({ marks }: DeliveryRow, { entries }) =>
    marks?.some(({ entry }) => entries.has(entry)) ?? false,
  photos: ({ id }: { id: string }, { photos }) => photos.has(id),
  aliases: ({ local }: { local: string }, { subjects }) => subjects.has(local),
  handovers: ({ ID }: { ID: string }, { subjects }) => subjects.has(ID),
  drafts: (_, { unsent }) => unsent === 'keep',
  setAside: ({ from }: Quarantined, { unsent }) => unsent === 'keep' && onlyHere.has(from),
}

async function forgetRows(table: Table, account: string, needed: Needed): Promise<void> {
  const stays = staying[table.name] ?? (() => false)
  await table.filter((row) => rowOwner(row) === account && !stays(row as never, needed)).delete()
}

/** An unreadable row that does not say whose it was: what the server has, or opens a session, goes. */
const isNobodys = (row: Quarantined): boolean =>
  rowOwner(row) === undefined && !onlyHere.has(row.from) && !shared.has(row.from)

/** A row that waits for its entry is shown without its code; it comes again with the next login. */
async function hideCodes(db: SomaDb, account: string): Promise<void> {
  await ofAccount(db.deliveries, 'ID', account)
    .filter(({ view, server }) => (server?.deliveryCode ?? view.deliveryCode) !== undefined)
    .modify((row) => {
      row.view = { ...row.view, deliveryCode: undefined }
      if (row.server) row.server = { ...row.server, deliveryCode: undefined }
    })
}

/** The accounts a table has rows of: one look for each, not one for each row. */
async function accountsIn(table: Table): Promise<string[]> {
  const { primKey, indexes } = table.schema
  const index = [primKey, ...indexes].find(({ keyPath }) => [keyPath].flat()[0] === 'account')
  if (!index) return []
  const compound = Array.isArray(index.keyPath)
  const name = index === primKey ? ':id' : index.name
  const found: string[] = []
  for (let last = ''; ; last = found.at(-1) ?? '') {
    const above = compound ? [last, Dexie.maxKey] : last
    const [key] = await table.where(name).above(above).limit(1).keys()
    const account = Array.isArray(key) ? key[0] : key
    if (typeof account !== 'string') return found
    found.push(account)
  }
}
