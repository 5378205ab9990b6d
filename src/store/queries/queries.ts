import type { PromiseExtended } from 'dexie'
import type { Choice } from '#domain/choices.ts'
import type { SendDraft } from '#domain/deliveries/draft.ts'
import { type GuestRecord, isGuestRecordValid } from '#domain/deliveries/guest.ts'
import type { Zone } from '#domain/zones/zone.ts'
import { guestAccount, type Quarantined } from '#sync/database/engine-db.ts'
import { type EntryState, unsentStates } from '#sync/database/entry.ts'
import { hasAny } from '#sync/database/has-any.ts'
import { hiddenEntries, hiddenGuests, withoutHidden } from '../account/hidden-guests.ts'
import { isReadableGuest } from '../deliveries/row-schema.ts'
import { isDeclined } from '../entries/declined.ts'
import type { DeliveryRow, Photo, Session } from '../rows.ts'
import { accountOf, currentAccount, currentSession, ofAccount, zip } from '../session.ts'
import type { Placed, SomaDb } from '../soma-db.ts'

/*
 * Everything a screen reads. Each is made for a live query: it asks only Dexie, so it runs again
 * by itself when a row it read changes. `account`: whose rows; a screen hands on the one it has of the shell, so that
 * no query reads the session again. Without it the query looks up who is logged in.
 */

/** Who is logged in; `null` when nobody is. */
export const viewerSession = async (db: SomaDb): Promise<Session | null> =>
  (await currentSession(db)) ?? null

/** The zones on the list (R20), with their centres and roads (R165). */
export const zones = async (db: SomaDb): Promise<Placed<Zone>[]> =>
  inOrder(await db.zones.toArray())
/** The item types on the list. */
export const items = async (db: SomaDb): Promise<Placed<Choice>[]> =>
  inOrder(await db.items.toArray())

const inOrder = <C extends { place?: number }>(choices: C[]): C[] =>
  choices.sort((a, b) => (a.place ?? 0) - (b.place ?? 0))

/** The newest guest record that is less than 24 hours old (R58). */
export async function guestRecord(db: SomaDb, now = Date.now()): Promise<GuestRecord | null> {
  const hidden = await hiddenGuests(db)
  const records = (await db.guests.toArray()).filter(isReadableGuest)
  const current = records.filter(
    (record) => isGuestRecordValid(record, now) && !hidden.has(record.id),
  )
  return current.sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0] ?? null
}

/** The request being typed; `null` when there is none. */
export const draft = async (db: SomaDb, account?: string): Promise<SendDraft | null> =>
  (await db.drafts.get([account ?? (await currentAccount(db)), 'send']))?.value ?? null

/** A photo on this device; `null` when it is not there. */
export const photo = async (db: SomaDb, id: string): Promise<Photo | null> =>
  (await db.photos.get(id)) ?? null

const inState = (db: SomaDb, account: string, state: EntryState) =>
  db.outbox.where('[account+state]').equals([account, state])

/** Entries of a state that only belong to others (S28). */
const partsIn = (db: SomaDb, account: string, state: EntryState) =>
  db.outbox.where('[account+isPart+state]').equals([account, 1, state])

/** Keys of an account's items in this state: entries that do not only belong to another. */
export const itemKeys = (
  db: SomaDb,
  account: string,
  state: EntryState,
): PromiseExtended<number[]> =>
  zip(inState(db, account, state).primaryKeys(), partsIn(db, account, state).primaryKeys()).then(
    ([all, parts]) => {
      const hidden = new Set(parts)
      return parts.length === 0 ? all : all.filter((key) => !hidden.has(key))
    },
  )

/** Of more refused items none is read: all count as such that can be fixed. */
const mostRead = 100

/** What the header pill shows; counts only what belongs to this person and the guest. `sending`: requests. */
export const outboxSummary = (db: SomaDb, account?: string): Promise<OutboxSummary> =>
  // One transaction: a phone takes longer to begin one than to count.
  db.transaction('r', [db.outbox, db.sessions, db.setAside, db.guests], async () => {
    const accounts = await outboxAccounts(db, account)
    const hidden = await hiddenEntries(db)
    const unsent = await shownItems(db, unsentStates, accounts, hidden)
    const refused = await shownItems(db, ['refused'], accounts, hidden)
    const read = refused.length > mostRead ? [] : await db.outbox.bulkGet(refused)
    const sending = accounts.map((account) => inState(db, account, 'sending').primaryKeys())
    return {
      unsent: unsent.length,
      refused: refused.length,
      declined: read.filter((entry) => entry && isDeclined(entry)).length,
      sending: (await Promise.all(sending)).flat().filter((seq) => !hidden.has(seq)).length,
      quarantined: (await quarantined(db, account)).length,
    }
  })

/** Keys of the items in these states that are shown. */
async function shownItems(
  db: SomaDb,
  states: readonly EntryState[],
  accounts: readonly string[],
  hidden: ReadonlySet<number>,
): Promise<number[]> {
  const found = accounts.flatMap((each) => states.map((state) => itemKeys(db, each, state)))
  return (await Promise.all(found)).flat().filter((seq) => !hidden.has(seq))
}

export type OutboxSummary = {
  unsent: number
  refused: number
  /** How many of the refused ones can only be dismissed. */
  declined: number
  sending: number
  quarantined: number
}

/** `from`: the `seq` of the first entry that counts. `done`: how many of `total` have ended, in whichever way. */
export type Progress = { from: number; done: number; total: number }

/** From this many on, the number of entries dealt with is worth showing. */
export const progressFrom = 6

/**
 * How many items have ended of those from `from` on, or from the oldest unsent one if that is older; null
 * while nothing is unsent. `done` is below `total`, and neither falls while something is unsent.
 */
export async function outboxProgress(
  db: SomaDb,
  from?: number,
  account?: string,
): Promise<Progress | null> {
  const accounts = await outboxAccounts(db, account)
  const hidden = await hiddenEntries(db)
  const keys = (of: readonly EntryState[]) => shownItems(db, of, accounts, hidden)
  // One transaction: an item that ends meanwhile counts once.
  return db.transaction('r', db.outbox, async () => {
    const unsent = await keys(unsentStates)
    if (unsent.length === 0) return null
    const first = unsent.reduce((least, seq) => Math.min(least, seq), from ?? Number.MAX_VALUE)
    const ended = (await keys(['done', 'refused', 'cancelled'])).filter((seq) => seq >= first)
    return { from: first, done: ended.length, total: ended.length + unsent.length }
  })
}

/** Whose entries the screens show: this person's and the guest's. */
export const outboxAccounts = async (db: SomaDb, account?: string): Promise<string[]> => [
  ...new Set([account ?? (await currentAccount(db)), guestAccount]),
]

/** Whether there are outcomes that the person has not seen, or others did what they were not told of yet (R100). */
export const hasNews = (db: SomaDb): Promise<boolean> =>
  db.transaction('r', [db.sessions, db.outbox, db.deliveries, db.guests], async () => {
    const session = await currentSession(db)
    if (session?.toldStatus) return true
    const [rows, entries] = [await hiddenGuests(db), await hiddenEntries(db)]
    const found = (await outboxAccounts(db, accountOf(session))).flatMap((account) => {
      const key = [account, 1]
      const isShown = (row: DeliveryRow) => row.account !== guestAccount || !rows.has(row.ID)
      return [
        hasAny(
          db.outbox
            .where('[account+unseen]')
            .equals(key)
            .filter(({ seq }) => !entries.has(seq)),
        ),
        hasAny(db.deliveries.where('[account+unseen]').equals(key).filter(isShown)),
      ]
    })
    return (await Promise.all(found)).includes(true)
  })

/**
 * Which deliveries this phone knows of that this person sent or drove, or a guest of this phone: none, only ended ones,
 * or such as are under way, which `deliveriesUnderWay` has. Asked without reading rows, for the first page. `now`:
 * milliseconds since 1970.
 */
export const storedDeliveries = (
  db: SomaDb,
  now = Date.now(),
): PromiseExtended<'none' | 'ended' | 'under-way'> =>
  db.transaction('r', [db.sessions, db.guests, db.deliveries, db.outbox], async () => {
    if (await guestRecord(db, now)) return 'under-way'
    const account = await currentAccount(db)
    if (await hasUnderWay(db, account)) return 'under-way'
    return (await hasOwn(db, account)) ? 'ended' : 'none'
  })

async function hasUnderWay(db: SomaDb, account: string): Promise<boolean> {
  const owned = ['job', 'delivery', 'unpaid'].map((active) =>
    hasAny(db.deliveries.where('[account+active]').equals([account, active])),
  )
  const refused = inState(db, account, 'refused')
  const requests = hasAny(refused.filter(({ op }) => op === 'createDelivery'))
  return (await Promise.all([...owned, requests])).includes(true)
}

async function hasOwn(db: SomaDb, account: string): Promise<boolean> {
  const found = ['sentAt', 'jobAt'].map((index) => hasAny(ofAccount(db.deliveries, index, account)))
  return (await Promise.all(found)).includes(true)
}

/** The connection to the server, for the outbox screen. Times in milliseconds since 1970. */
export async function syncStatus(db: SomaDb): Promise<SyncStatus> {
  const [reachable, lastSyncAt, bytes, room] = await db.meta.bulkGet([
    'reachable',
    'lastSyncAt',
    'bytes',
    'room',
  ])
  const today = bytes?.value as { day: string; up: number; down: number } | undefined
  const { up, down } = today?.day === new Date().toDateString() ? today : { up: 0, down: 0 }
  return {
    reachable: (reachable?.value as boolean | undefined) ?? null,
    lastSyncAt: (lastSyncAt?.value as number | undefined) ?? null,
    today: { up: up ?? 0, down: down ?? 0 },
    eviction: (room?.value as SyncStatus['eviction'] | undefined) ?? null,
  }
}

export type SyncStatus = {
  reachable: boolean | null
  lastSyncAt: number | null
  /** Bytes, as the transport counted them. */
  today: { up: number; down: number }
  /** The phone was full: lists were taken away and it was enough (`made`), or not (`none`). */
  eviction: { room: 'made' | 'none'; at: number } | null
}

/**
 * What could not be read of whoever is logged in and of the guest, and what names nobody; without rows of the
 * server’s lists, which those lists show (S48).
 */
export async function quarantined(db: SomaDb, account?: string): Promise<Quarantined[]> {
  const mine = [undefined, guestAccount, account ?? (await currentAccount(db))]
  const rows = (await db.setAside.toArray()).filter(
    (each) => each.row === undefined && mine.includes(each.account),
  )
  return rows.length === 0 ? rows : withoutHidden(db, rows)
}
