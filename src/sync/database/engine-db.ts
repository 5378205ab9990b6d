import { Dexie, type EntityTable, type Table } from 'dexie'
import type { MonotonicTime } from '../time.ts'
import { createReconnect, type Reconnect, type ReconnectTimers } from './connection/reconnect.ts'
import { dropCache } from './drop-cache.ts'
import type { OutboxEntry } from './entry.ts'

/** Account of whatever is done on this device without logging in. */
export const guestAccount = 'guest'

/** Who is logged in on this device, for page and service worker alike; `account` is the user's ID. */
export type Session<U = unknown> = {
  key: 'current'
  account: string
  token: string
  user: U
  /** The server no longer takes the token: the queue waits until the person logs in again. */
  expired?: boolean
}

/** How far a pulled list has come. `at`: when it was last confirmed, milliseconds since 1970. */
export type Pulled = {
  account: string
  list: string
  cursor?: string
  etag?: string
  /** When its response was stored: rows that came with it name the same moment. */
  serverAt?: MonotonicTime
  /** When the server last confirmed it; 0 for a list that was asked for and never had. */
  at: number
  /** The server would not give it. */
  refused?: true
  /** The server's own time of the last response that brought it, milliseconds since 1970. */
  serverTime?: number
  /** Of a list that this phone does not have whole: where the next older page begins. */
  older?: OlderPage
  /** The server's own time when an older page was last asked for, milliseconds since 1970. */
  olderAt?: number
}

/**
 * The page that follows what this phone has of a list. `after`: the server's `next`, nothing for the list's
 * beginning; `from`: what the row before the page is sorted by.
 */
export type OlderPage = { after?: string; from?: string }

/** How much of a list this phone has; a property that is there counts, also as nothing. */
export type ListExtent = Pick<Pulled, 'older' | 'olderAt'>

/** A row that could not be read, stored as it was found (S18). */
export type Quarantined = {
  id?: number
  /** The server's name of a row that a list brought. */
  row?: string
  /** The build of the app that could not read it. */
  build?: number
  /** The table it stood in, or the list it came with. */
  from: string
  value: unknown
  why: string
  at: number
  /** Whose it is; missing where that could not be read, or where it is nobody's. */
  account?: string
}

/**
 * A token the person has logged out of while the server could not be reached. It is sent with
 * `POST /logout` and with nothing else (S39). Times: milliseconds since 1970.
 */
export type Revocation = {
  id?: number
  token: string
  /** When the person logged out. */
  at: number
  attempts: number
  nextAt: number
  /** How long the wait until `nextAt` was when it began, milliseconds: none is longer, whatever a clock says. */
  wait?: number
  /** The server itself named `nextAt` (Retry-After). */
  held?: boolean
}

/** The server's name of a row that this device named first (S19). */
export type Alias = { account: string; local: string; server: string }

/** A value of `DeviceState`, by its key. */
export type DeviceValue = { key: string; value: unknown }

// On by itself at localhost, where it costs every call a stack trace.
Dexie.debug = false

export type Stores = Record<string, string>

/** The engine's tables. */
const engineStores: Stores = {
  outbox:
    '++seq, &id, state, [account+state], [account+lane], [account+unseen], [account+isPart+state]',
  sessions: 'key',
  aliases: '[account+local]',
  pulls: '[account+list]',
  setAside: '++id',
  meta: 'key',
  revocations: '++id',
}

/** The engine's part of the device's database; a product extends it with its own tables. */
export class EngineDb extends Dexie {
  declare outbox: EntityTable<OutboxEntry, 'seq'>
  declare sessions: EntityTable<Session, 'key'>
  declare aliases: Table<Alias, [string, string]>
  declare pulls: Table<Pulled, [string, string]>
  declare setAside: EntityTable<Quarantined, 'id'>
  declare meta: EntityTable<DeviceValue, 'key'>
  declare revocations: EntityTable<Revocation, 'id'>
  /** Another tab holds an older version open and keeps this one from opening. */
  isBlocked = false
  private readonly reconnect: Reconnect

  /**
   * `stores`: the product's tables. Only the newest schema is named: Dexie compares it with what it finds, whichever
   * version wrote that, and each version more is parsed at every start.
   */
  constructor(name: string, version: number, stores: Stores, timers?: ReconnectTimers) {
    const reconnect = createReconnect(timers)
    super(name, {
      indexedDB: reconnect.indexedDB,
      // A resolved enqueue must survive a power cut, not only a closed tab.
      chromeTransactionDurability: 'strict',
      cache: 'disabled',
    })
    this.reconnect = reconnect
    dropCache(this)
    this.on('blocked', () => {
      this.isBlocked = true
    })
    // Left to itself Dexie would open it again, as what a newer version of the app has made of it (S83).
    this.on('versionchange', ({ newVersion }) => {
      // None where it is deleted.
      if (newVersion) this.close()
      return !newVersion
    })
    this.version(version).stores({ ...engineStores, ...stores })
    // Dexie opens a database of a newer release too, and would write rows that it does not know into it.
    this.on('ready', () => this.assertNotNewer(version), true)
    reconnect.attach(this)
  }

  override close(options?: { disableAutoOpen: boolean }): void {
    if (options?.disableAutoOpen !== false) this.reconnect.stop()
    super.close(options)
  }

  /** Calls `listener` with whether the connection is lost (S84), now and at each change. Returns how to stop. */
  followLost(listener: (isLost: boolean) => unknown): () => void {
    return this.reconnect.followLost(listener)
  }

  /** IndexedDB counts in tens: Dexie itself may add one to mend a schema. Throws `VersionError`. */
  private assertNotNewer(newest: number): void {
    if (Math.floor(this.backendDB().version / 10) > newest)
      throw new Dexie.VersionError('A newer release has written this database')
  }
}
