import type { PromiseExtended, Table } from 'dexie'
import type { EngineDb } from '../database/engine-db.ts'
import type { Operation, OutboxEntry } from '../database/entry.ts'

/** What changed for rows: lanes whose entries changed, rows as the server has them now. */
export type RowChanges = {
  lanes: readonly string[]
  serverRows?: readonly unknown[]
  /** When the answer with these rows came, milliseconds by the clock that is never set. */
  serverAt?: number
  /**
   * When what they answer was asked for, by the same clock, where they are all there is: they take the
   * place of later versions that this device held by then (S53).
   */
  askedAt?: number
  /**
   * The only entries that have changed since the rows were written, as they are now: a row whose
   * pending operations name no others needs no look at its lane. Left out, every lane is looked at.
   */
  entries?: readonly OutboxEntry[]
}

/** The server's reply to one entry. */
export type ServerReply = {
  /** Rows as the server has them now. */
  rows: unknown[]
  /** What the server calls the row that a create made. */
  id?: string
  /** Lists that are worth pulling anew. */
  staleLists: string[]
  /** Bytes of the answer. */
  bytes: number
  /** Its status where that is not 200 or 201. */
  status?: number
  /** For the product alone. */
  details?: unknown
}

/** An entry the server has answered. */
export type Replied = { entry: OutboxEntry; reply: ServerReply }

/** The backend has no call that withdraws a request: what may have arrived stays unknown (S73). */
export class NoWithdrawal extends Error {
  override readonly name = 'NoWithdrawal'
  override readonly message = 'The backend withdraws no request'
}

/** How a product's rows follow from the server's rows and the entries of their lanes (S6). */
export type Projection = {
  /** Whether an entry changes how its lane's row looks. */
  isShown(entry: OutboxEntry): boolean
  /**
   * Reads what the changed rows follow from, inside the caller's transaction; returns how to write
   * them, in as few writes as there are tables.
   */
  project(
    db: EngineDb,
    account: string,
    changes: RowChanges,
  ): Promise<() => PromiseExtended<unknown>>
}

/**
 * What a product registers with the outbox. The outbox knows operations by their names and rows by
 * their lanes; everything else about them is the product's. Functions run inside the caller's
 * transaction over `tables` unless they say otherwise.
 */
export type OutboxProduct = Projection & {
  operations: Record<string, Operation>
  /** Tables that the functions read and write, beside the engine's own. */
  tables(db: EngineDb): Table[]
  /** Takes in what replies bring beside their rows, before any row moves. */
  recordReplies(db: EngineDb, replied: readonly Replied[]): Promise<unknown>
  /** A row the device named `from` is called `to` by the server; aliases and entries have moved (S19). */
  moveRow(db: EngineDb, account: string, from: string, to: string): Promise<unknown>
  /** Unsent entries of the lane that only made sense had `refused` gone through. Reads only (S15). */
  invalidatedBy(db: EngineDb, refused: OutboxEntry): Promise<OutboxEntry[]>
  /** What was asked for will never be: what only these entries needed goes with them (S56). */
  forgetRequests(db: EngineDb, cancelled: readonly OutboxEntry[]): Promise<unknown>
  /** What an entry is about, by the device's name; nothing when it makes something new. */
  subjectOf(entry: OutboxEntry): string | undefined
  /** What proves the guests of these rows to the server, by the row's ID. */
  guestProofs(db: EngineDb, ids: readonly string[]): Promise<ReadonlyMap<string, GuestProof>>
  /** Names of what no entry and no screen needs; inside a transaction over all tables. */
  findGarbage(db: EngineDb): Promise<string[]>
  /** Deletes what these names stand for; inside the same transaction. */
  deleteGarbage(db: EngineDb, names: readonly string[]): Promise<unknown>
}

/** What proves a guest: their token, and the phone they gave. */
export type GuestProof = { token?: string; guestPhone?: string }
