import { Dexie, type EntityTable, type Table } from 'dexie'
import type { Activity, AuditEntry, SessionInfo, Stats, Trends } from '#contract/answers.ts'
import type { Delivery } from '#domain/delivery.ts'
import type { Dispute } from '#domain/dispute.ts'
import type { SendDraft } from '#domain/draft.ts'
import type { DriverApplication } from '#domain/driver.ts'
import type { GuestRecord } from '#domain/guest.ts'
import type { User } from '#domain/user.ts'
import type { KeptPage } from '../deliveries/admin-pages.ts'
import type { Entry, EntryState, OutboxOp } from '../outbox/entry.ts'

/** Account of whatever is done on this device without logging in. */
export const guestAccount = 'guest'

/** A queued mutation as its delivery's card shows it. */
export type Mark = {
  entry: string
  op: OutboxOp
  /** Never `sending`: on its way is still waiting, as far as the row goes. */
  state: Exclude<EntryState, 'sending'>
  error?: Entry['error']
}

/**
 * What the screen shows of one delivery: the server's row with the pending intents folded in.
 * `server` is kept only while there are pending intents (it is what a refusal falls back to).
 */
export type DeliveryRow = {
  /** Which version of the app's rows this is; rows of others are read with care (`sound.ts`). */
  v?: number
  account: string
  ID: string
  view: Delivery
  server?: Delivery
  /** False until the server has acknowledged that this delivery exists. */
  known: boolean
  /** Intents not yet settled, and refused ones the person has not dealt with. */
  marks: Mark[]
  /** Local photo shown until the hosted one is known. */
  photo?: string
  /** The list it came from no longer has it; it stays only as long as a mark needs it. */
  gone?: boolean
  /** What counts against "one at a time", foreseen intents included; indexed. */
  active?: 'job' | 'delivery'
  /*
   * In which lists it stands, each with the time it is sorted by; absent where it does not belong,
   * which keeps it out of that index. From the row alone: `listsOf`.
   */
  sentAt?: string
  jobAt?: string
  openAt?: string
  adminAt?: string
}

/** Who is logged in on this device, for page and service worker alike; `account` is the user's ID. */
export type Session = {
  key: 'current'
  account: string
  token: string
  user: User
  /** The server no longer takes the token: the queue waits until the person logs in again. */
  expired?: boolean
}

/** A photo's bytes; `url` once the image provider has it. */
export type Photo = {
  id: string
  account: string
  bytes: ArrayBuffer
  type: string
  keptAt: number
  url?: string
  /** The bytes are this app's own redraw: nothing of the original file, such as a place, is in them. */
  redrawn?: true
}

export type Draft = { account: string; kind: 'send'; value: SendDraft }

/** How far a pulled list has come. `at`: when it was last confirmed, milliseconds since 1970. */
export type Pulled = {
  account: string
  list: string
  cursor?: string
  etag?: string
  /** When the server last confirmed it; 0 for a list that was asked for and never had. */
  at: number
  /** The server would not give it. */
  refused?: true
}

/** Something that could not be read, kept as it was found (never deleted in silence). */
export type SetAside = {
  id?: number
  /** The table it stood in, or the list it came with. */
  from: string
  value: unknown
  why: string
  at: number
  /** Whose it is; missing where that could not be read, or where it is nobody's. */
  account?: string
}

/**
 * A token the person has logged out of while the server could not be told. It is sent with
 * `POST /logout` and with nothing else; only `sync/revoke.ts` reads it. Times: milliseconds since 1970.
 */
export type Revocation = {
  id?: number
  token: string
  /** When the person logged out. */
  at: number
  attempts: number
  nextAt: number
  /** The server itself named `nextAt` (Retry-After). */
  held?: boolean
}

export type Meta = { key: string; value: unknown }

type Owned<T> = T & { account: string }

// On by itself at localhost, where it costs every call a stack trace.
Dexie.debug = false

/** Everything this device knows and means to say. */
export class SomaDb extends Dexie {
  declare deliveries: Table<DeliveryRow, [string, string]>
  declare outbox: EntityTable<Entry, 'seq'>
  declare photos: EntityTable<Photo, 'id'>
  declare drafts: Table<Draft, [string, string]>
  declare sessions: EntityTable<Session, 'key'>
  declare guests: EntityTable<GuestRecord, 'id'>
  declare aliases: Table<{ account: string; local: string; server: string }, [string, string]>
  declare zones: EntityTable<{ ID: string; Name: string }, 'ID'>
  declare items: EntityTable<{ ID: string; Name: string }, 'ID'>
  declare users: Table<Owned<User>, [string, string]>
  declare drivers: Table<Owned<DriverApplication>, [string, string]>
  declare disputes: Table<Owned<Dispute>, [string, string]>
  declare activities: Table<Owned<Activity>, [string, string]>
  declare stats: Table<Owned<Stats>, string>
  declare trends: Table<Owned<Trends>, string>
  /** Where this person is logged in, as the server told it. */
  declare ownSessions: Table<Owned<SessionInfo>, [string, string]>
  declare audit: Table<Owned<AuditEntry>, [string, string]>
  declare pages: Table<KeptPage, [string, string, string]>
  declare pulls: Table<Pulled, [string, string]>
  declare setAside: EntityTable<SetAside, 'id'>
  declare meta: EntityTable<Meta, 'key'>
  declare revocations: EntityTable<Revocation, 'id'>

  constructor(name = 'soma') {
    super(name, {
      // A resolved enqueue must survive a power cut, not only a closed tab.
      chromeTransactionDurability: 'strict',
      // Dexie's would show what is not written yet, and copies every row of a list each time it changes.
      cache: 'disabled',
    })
    // Disabled it still gives every write an AbortController, to end what it never began.
    this.unuse({ stack: 'dbcore', name: 'Cache' })
    this.version(1).stores({
      deliveries:
        '[account+ID], [account+sentAt], [account+jobAt], [account+openAt], [account+adminAt], [account+active]',
      outbox: '++seq, &id, state, [account+state], [account+lane], [account+unseen]',
      photos: 'id, account',
      drafts: '[account+kind]',
      sessions: 'key',
      guests: 'id',
      aliases: '[account+local]',
      zones: 'ID',
      items: 'ID',
      users: '[account+ID]',
      drivers: '[account+ID], [account+Status]',
      disputes: '[account+ID]',
      activities: '[account+ID], [account+CreatedAt]',
      stats: 'account',
      pulls: '[account+list]',
      setAside: '++id',
      meta: 'key',
    })
    this.version(2).stores({ pages: '[account+list+query], [account+at]', trends: 'account' })
    this.version(3).stores({
      ownSessions: '[account+id]',
      audit: '[account+ID]',
      revocations: '++id',
    })
  }
}
