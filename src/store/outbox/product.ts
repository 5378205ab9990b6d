import type { PromiseExtended, Table } from 'dexie'
import type { EngineDb } from '../database/engine-db.ts'
import type { Operation, OutboxEntry } from './entry.ts'

/** What changed for rows: lanes whose entries changed, rows as the server has them now. */
export type RowChanges = {
  lanes: readonly string[]
  serverRows?: readonly unknown[]
  /**
   * The only entries that have changed since the rows were written, as they are now: a row whose
   * pending operations name no others needs no look at its lane. Left out, every lane is looked at.
   */
  entries?: readonly OutboxEntry[]
}

/** What the server told in answer to one entry. */
export type ServerReply = {
  /** Rows as the server has them now. */
  rows: unknown[]
  /** What the server calls the row that a create made. */
  id?: string
  /** Lists that are worth pulling anew. */
  staleLists: string[]
  /** Bytes of the answer. */
  bytes: number
  /** For the product alone. */
  details?: unknown
}

/**
 * What a product registers with the outbox. The outbox knows operations by their names and rows by
 * their lanes; everything else about them is the product's. Each function runs inside the caller's
 * transaction over `tables`.
 */
export type OutboxProduct = {
  operations: Record<string, Operation>
  /** Tables that the functions below read and write, beside the engine's own. */
  tables(db: EngineDb): Table[]
  /** Whether an entry changes how its lane's row looks. */
  isShown(entry: OutboxEntry): boolean
  /** The rows as they are to be written, and how. Reads only. */
  project(
    db: EngineDb,
    account: string,
    changes: RowChanges,
  ): Promise<() => PromiseExtended<unknown>>
  /** Takes in what a reply brings beside its rows. */
  recordReply(db: EngineDb, entry: OutboxEntry, reply: ServerReply): Promise<unknown>
  /** A row the device named `from` is called `to` by the server; its aliases and entries have moved. */
  moveRow(db: EngineDb, account: string, from: string, to: string): Promise<unknown>
  /** Unsent entries of the lane that only made sense had `refused` gone through. Reads only. */
  invalidatedBy(db: EngineDb, refused: OutboxEntry): Promise<OutboxEntry[]>
  /** What proves a guest to the server, of an entry about the row `id`. */
  guestProof(db: EngineDb, id: string): Promise<GuestProof | undefined>
  /** Deletes what no unsent entry and nothing on the screen needs; `before`: milliseconds since 1970. */
  collectGarbage(db: EngineDb, before: number): Promise<unknown>
  /** Deletes what can be fetched again, in a transaction of its own (S26). */
  evict(db: EngineDb): Promise<unknown>
  /** Tables whose rows are looked at when the app starts, and why a row of one cannot be read (S18). */
  checks: { table(db: EngineDb): Table; why(row: unknown): string | undefined }[]
}

export type GuestProof = { token?: string; guestPhone?: string }
