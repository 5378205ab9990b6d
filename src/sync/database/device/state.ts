import type { PromiseExtended } from 'dexie'
import type { MonotonicTime } from '../../time.ts'
import type { EngineDb } from '../engine-db.ts'

/** Bytes over the network on one day of this device's calendar. */
type DayTraffic = { day: string; up: number; down: number }

/**
 * The newest changes that the tab with the event stream has received, for the other tabs. A tab of the
 * version before reads it too: the names of the properties stay.
 */
export type StreamState = {
  account: string
  open: boolean
  /** When the stream last sent anything, milliseconds since 1970. */
  at: number
  /** The number of the last change; each tab knows how far it has read. */
  last: number
  changes: { about: string; id?: string }[]
  /** From where the stream goes on, where the server says so (S52). */
  position?: string
  /** The routes it names; all where there are none. */
  routes?: string[]
}

/** One thing the engine did or failed to do. `at`: milliseconds since 1970; `request`: an entry's ID. */
export type DiagnosticEvent = {
  at: number
  what: string
  error?: string
  request?: string
}

/** What the device keeps one of. A product adds its own (`declare module`). */
export interface DeviceState {
  /** Whether anybody responded the last time. */
  reachable: boolean
  /** When the server last responded, milliseconds since 1970. */
  lastSyncAt: number
  bytes: DayTraffic
  /** Batches that met silence though a read had a response, since the app was opened (S41). */
  silentBatches: number
  /** The phone was full: lists were evicted and it was enough (`made`), or not (`none`). */
  room: { room: 'made' | 'none'; at: number }
  stream: StreamState
  /** The last events of the engine, oldest first. */
  diagnostics: DiagnosticEvent[]
  /** The person asked that they are also written to the console. */
  logsToConsole: boolean
  /** Lists that were to be asked for in full the last time, by their keys; `count` grows each time (S49). */
  pullInFull: { count: number; lists: string[] }
  /** The server takes only builds of the app above this one. */
  updateRequired: { build: number }
  /** `saves`: images on tap, slower polling. `wifiOnly`: no file is uploaded on mobile data (S62). */
  dataSaver: { saves?: boolean; wifiOnly?: boolean }
  /** What looks unneeded: on how many days, the last of them at `at` (milliseconds since 1970). */
  garbage: { at: number; visits: Record<string, number> }
  /** By which an admin can look this device up (R92): 8 characters, without the hyphen people see. */
  supportCode: string
}

/** What the device keeps one of for each subject. A product adds its own. */
export interface SubjectState {
  /** Subject: a list. The server is there, and had no response for it. */
  failing: true
  /** Subject: account and row. The row is not this account's to see; since when, milliseconds since 1970. */
  gone: number
  /** Subject: account and row. When the server refused it for the first time. */
  refused: MonotonicTime
  /** Subject: a file. How much of it has gone up, a share from 0 to 1. */
  upload: number
}

/** A key of the table: what the device has one of, or a kind and its subject. */
export type StateKey = keyof DeviceState | `${keyof SubjectState}:${string}`

type ValueOf<K extends StateKey> = K extends keyof DeviceState
  ? DeviceState[K]
  : K extends `${infer S extends keyof SubjectState}:${string}`
    ? SubjectState[S]
    : never

/** The value of one key; nothing when it was never stored. */
export const getState = <K extends StateKey>(
  db: EngineDb,
  key: K,
): PromiseExtended<ValueOf<K> | undefined> =>
  db.meta.get(key).then((row) => row?.value as ValueOf<K> | undefined)

/** Stores the value of one key, in place of the one before. */
export const putState = <K extends StateKey>(
  db: EngineDb,
  key: K,
  value: ValueOf<K>,
): PromiseExtended<unknown> => db.meta.put({ key, value })

/** Forgets the value of one key. */
export const deleteState = (db: EngineDb, key: StateKey): PromiseExtended<void> =>
  db.meta.delete(key)
