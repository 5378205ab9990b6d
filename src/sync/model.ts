import type { Table } from 'dexie'
import type { EngineDb } from './database/engine-db.ts'
import type { Operation, OutboxEntry } from './database/entry.ts'
import type { Write } from './database/write-in-parts.ts'
import type { PollSchedule } from './engine/poll-schedule.ts'
import type { ListRef } from './lists/list-ref.ts'
import type { SyncContext } from './platform/context.ts'
import type { Environment } from './platform/environment.ts'
import type { MonotonicTime } from './time.ts'

/*
 * What a product hands the engine, and the only thing the engine knows of one: operations by their names, rows by
 * their lanes, lists by their kinds.
 *
 *   Model            comes with the first page: which lists there are, and how each is pulled
 *   LazyModel        is loaded once there is somebody to hear for, or something queued:
 *     OutboxModel      how rows follow from entries and replies
 *     RequestModel     how an entry is asked for
 *     EventsModel      for whom events are heard, and what they touch
 *
 * They are methods, so that a product's own may take its own database and entries.
 */

/** Which lists there are, and how each is pulled. */
export type Model = {
  /** Lists to keep fresh: those that are watched, and what the person would miss while away. */
  subscriptions(db: EngineDb, watched: ListRef[], now: number): Promise<ListRef[]>
  /** The list that says which builds of the app the server takes: asked for when nothing else is. */
  versionList?: ListRef
  pull(context: SyncContext, list: ListRef): Promise<Pull>
  /** Whether the device holds any row that could be unreadable. */
  hasRows(db: EngineDb): Promise<boolean>
  /** Whether it holds anything that only it has (S31). */
  hasUnsynced(db: EngineDb): Promise<boolean>
  /** Whether something may have ended that is no longer needed. */
  hasGarbage(db: EngineDb): Promise<boolean>
  /** Whether there is anybody whose events could be heard. */
  hasListener(db: EngineDb): Promise<boolean>
  /** Lists to ask for at once after these lanes were refused, or these lists said to be stale, followed or not. */
  owedAfter(drained: Pick<Drained, 'refused' | 'stale'>): ListRef[]
  /** Deletes what can be fetched again (S26). */
  evict(context: SyncContext): Promise<unknown>
  /** The rest of the engine, made of the `LazyModel`. Rejects when it cannot be loaded for want of a network. */
  loadLazy(): Promise<LazyEngine>
}

/**
 * How a pull went. `unreadable`: our server responded in a form of a newer version. `responded`: our server
 * responded, even with 429 or 5xx; a gateway is not it.
 */
export type Pull = {
  result: 'fresh' | 'unchanged' | 'refused' | 'unreadable' | 'unreachable' | 'not-asked'
  /** Milliseconds between two pulls of this list. */
  every: number
  responded?: boolean
  /** Milliseconds. */
  retryAfter?: number
}

/** What a first page does without. */
export type LazyModel = SendModel &
  EventsModel & {
    /** Looks through stored rows before anything is read from them. */
    checkStored(context: SyncContext): Promise<unknown>
    /** Deletes what is over of the product's own, before ended entries go. */
    deleteOld(context: SyncContext): Promise<unknown>
    /** What the product does by itself while somebody is to be heard for. Returns how to stop. */
    follow(about: { context: SyncContext; environment: Environment }): () => void
  }

/** What the sender needs. */
export type SendModel = OutboxModel & RequestModel

/** How a product's rows follow from the server's rows and the entries of their lanes (S6). */
export type Projection = {
  /** Whether an entry changes how its lane's row looks. */
  isShown(entry: OutboxEntry): boolean
  /**
   * Reads what the changed rows follow from, inside the caller's transaction; returns what is to be
   * written of them.
   */
  project(db: EngineDb, account: string, changes: RowChanges): Promise<Write[]>
}

/** What changed for rows: lanes whose entries changed, rows as the server has them now. */
export type RowChanges = {
  lanes: readonly string[]
  serverRows?: readonly unknown[]
  /** When the response with these rows came. */
  serverAt?: MonotonicTime
  /**
   * When they were asked for, by the same clock, where they are all there is: they take the
   * place of later versions that this device held by then (S53).
   */
  askedAt?: number
  /**
   * The only entries that have changed since the rows were written, as they are now: a row whose
   * pending operations name no others needs no look at its lane. Left out, every lane is looked at.
   */
  entries?: readonly OutboxEntry[]
}

/** Operations, and their rows. Functions run inside the caller's transaction over `tables` unless they say otherwise. */
export type OutboxModel = Projection & {
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

/** The server's reply to one entry. */
export type ServerReply = {
  /** Rows as the server has them now. */
  rows: unknown[]
  /** What the server calls the row that a create made. */
  id?: string
  /** Lists that are worth pulling anew. */
  staleLists: string[]
  /** Bytes of the response. */
  bytes: number
  /** Its status where that is not 200 or 201. */
  status?: number
  /** For the product alone. */
  details?: unknown
}

/** An entry with the server's reply. */
export type Replied = { entry: OutboxEntry; reply: ServerReply }

/** What proves a guest: their token, and whatever else of them a request names. */
type GuestProof = { token?: string; [more: string]: string | undefined }

/**
 * What leaves with an entry beside its input, as it stood in the transaction that leased it: another
 * person who logs in meanwhile never lends it their token (S8).
 */
export type Credentials = GuestProof & {
  /** What the server calls the row, or whatever else the entry is about. */
  id: string
}

/** An entry that is marked as being sent, and as it was before, should it not leave after all. */
export type Leased = { entry: OutboxEntry; before: OutboxEntry; credentials: Credentials }

/** How the server is asked for what leaves the phone. */
export type RequestModel = {
  requests: Record<string, SendRequest>
  batch?: BatchModel
  /** Whether our server responds to a request that changes nothing. */
  probe?(context: SyncContext): Promise<boolean>
  /** Ends the login of a token on the server (S39). Throws `Refused` or `Unreachable`. */
  logout(context: SyncContext, token: string): Promise<unknown>
}

/** What the requests of one drain remember for one another. */
export type Memo = Map<string, string>

/**
 * Makes the request of one entry, under its request key. Throws `Refused` when the server refused,
 * `Unreachable` when our server did not respond, `Refusal` when it cannot be asked at all, `NoWithdrawal` when it
 * cannot be withdrawn.
 */
export type SendRequest = {
  send(
    context: SyncContext,
    entry: OutboxEntry,
    credentials: Credentials,
    memo: Memo,
  ): Promise<ServerReply>
}['send']

/** Several entries in one request (S41). */
export type BatchModel = {
  /** Entries that may share a request: one token for all. */
  groupOf(entry: OutboxEntry): string
  /**
   * Sends entries in one request, each after those it depends on, and calls `settle` for each as soon as
   * its outcome is known. Throws `NoBatch`, or `Unreachable`, for all that have not settled.
   */
  send(
    context: SyncContext,
    entries: readonly Leased[],
    memo: Memo,
    settle: (entry: OutboxEntry, outcome: BatchOutcome) => void,
  ): Promise<void>
}

/** How one entry of a batch ended. `returned`: the server has done nothing about it, and it goes later. */
export type BatchOutcome =
  | { reply: ServerReply }
  | { error: unknown; inPart?: boolean }
  | { returned: true }

/** The backend takes no batch: its calls are made one by one. */
export class NoBatch extends Error {
  override readonly name = 'NoBatch'
  override readonly message = 'The backend takes no batch'
}

/** The backend has no call that withdraws a request: what may have arrived stays unknown (S73). */
export class NoWithdrawal extends Error {
  override readonly name = 'NoWithdrawal'
  override readonly message = 'The backend withdraws no request'
}

/** For whom events are heard, and what they touch. */
export type EventsModel = {
  /** Whether the events of a stream that names these routes tell of the changes of the list of this key. */
  isPushed(key: string, routes: readonly string[]): boolean
  /** The routes that a stream for these lists names, each `name=value` of its query; none where it names all. */
  routesOf(lists: readonly ListRef[]): string[]
  /** What a stream that goes on under other routes than before may have missed. */
  missedOfRoutes: Change
  /**
   * Takes rows that events carry into the store, and returns those that must be asked for all the same.
   * `serverAt`: monotonic time.
   */
  savePushed(
    db: EngineDb,
    account: string,
    rows: readonly PushedRow[],
    serverAt: number,
  ): Promise<Change[]>
  /** Lists that the events of whoever is logged in say nothing of. */
  unpushedLists(db: EngineDb): Promise<ListRef[]>
  /** For whom events are heard where nobody is logged in. `watched`: what this tab shows. */
  guestListener(db: EngineDb, watched: readonly ListRef[]): Promise<Listener | undefined>
  /** Which of the lists `among` a change touches. */
  affectedLists(db: EngineDb, account: string, change: Change, among: ListRef[]): Promise<ListRef[]>
}

/** Something that changed, as the server names it; `all`: whatever may have changed. */
export type Change = { about: string; id?: string }

/** A row of a list, or the ID of one that left it. */
export type PushedRow = { id: string; row?: unknown }

/**
 * For whom events are heard: whoever is logged in, or a guest. `covers`: keys of the only lists that these
 * events tell of; without it those of the whole account.
 */
export type Listener = { account: string; token: string; covers?: readonly string[] }

/*
 * What the engine says of itself to the model, and to what is loaded with the first page.
 */

/** What one drain of the outbox has done. */
export type Drained = {
  /** Lists that the replies made stale. */
  stale: Set<string>
  /** Lanes whose entries were refused: what the server has instead is worth asking. */
  refused: Set<string>
  /** When the next waiting entry may be tried; nothing waits if missing. */
  nextAt?: MonotonicTime
  /** Whether our server responded; nothing when nobody was asked. */
  reached?: boolean
  bytes: number
  /** The server takes only newer versions of the app. */
  updateRequired?: true
}

/** What the engine needs once there is somebody to hear for, or something queued; loaded then. */
export type LazyEngine = {
  drain(context: SyncContext): Promise<Drained | undefined>
  /** Hears pushed events, and does what the product does meanwhile; returns how to stop. */
  hearEvents(about: EventsAbout): () => void
  /** Looks through stored rows before anything is read from them. */
  checkStored(context: SyncContext): Promise<unknown>
  /** Deletes what is no longer needed. */
  collectGarbage(context: SyncContext): Promise<void>
  /** Sends the logouts that have not reached the server; resolves to when the next try is due. */
  revokeTokens(context: SyncContext, now?: boolean): Promise<number | undefined>
}

/** What hearing events needs of the engine. */
export type EventsAbout = {
  context: SyncContext
  environment: Environment
  schedule: PollSchedule
  /** Every list this phone wants; `watched` by this tab alone. */
  subscriptions: () => Promise<ListRef[]>
  watched: () => ListRef[]
  /** Calls `work` whenever this tab watches another list, or one less. Returns how to stop. */
  followWatched: (work: () => void) => () => void
  runRound: () => Promise<void>
}
