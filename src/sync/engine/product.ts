import type { EngineDb } from '#store/database/engine-db.ts'
import type { ListRef } from '#store/database/lists.ts'
import type { SyncContext } from '../platform/context.ts'
import type { Environment } from '../platform/environment.ts'
import type { Drained } from '../push/sender.ts'
import type { PollSchedule } from './poll-schedule.ts'

/**
 * How a pull went. `unreadable`: our server answered in a form of a newer version. `answered`: our server
 * answered, even with 429 or 5xx; a gateway is not it.
 */
export type Pull = {
  result: 'fresh' | 'unchanged' | 'refused' | 'unreadable' | 'unreachable' | 'not-asked'
  /** Milliseconds between two pulls of this list. */
  every: number
  answered?: boolean
  /** Milliseconds. */
  retryAfter?: number
}

/** Something that changed, as the server names it; `all`: whatever may have changed. */
export type Change = { about: string; id?: string }

/** What a product registers with the engine: which lists there are, and how each is pulled. */
export type SyncProduct = {
  /** Lists to keep fresh: those that are watched, and what the person would miss while away. */
  subscriptions(db: EngineDb, watched: ListRef[], now: number): Promise<ListRef[]>
  /** The list that says which builds of the app the server takes: asked for when nothing else is. */
  versionList?: ListRef
  pull(context: SyncContext, list: ListRef): Promise<Pull>
  /** Whether the device holds any row that could be unreadable. */
  holdsRows(db: EngineDb): Promise<boolean>
  /** Whether it holds anything that only it has (S31). */
  holdsUnsynced(db: EngineDb): Promise<boolean>
  /** Whether something may have ended that is no longer needed. */
  holdsGarbage(db: EngineDb): Promise<boolean>
  /** Whether there is anybody whose events could be heard. */
  hasListener(db: EngineDb): Promise<boolean>
  /** Lists to ask for at once after these lanes were refused, or these lists said to be stale, followed or not. */
  owedAfter(drained: Pick<Drained, 'refused' | 'stale'>): ListRef[]
}

/** What the engine needs once there is somebody to hear for, or something queued; loaded then. */
export type LazyEngine = {
  drain(context: SyncContext): Promise<Drained | undefined>
  /** Hears pushed events; returns how to stop. */
  hearEvents(about: EventsAbout): () => void
  /** Looks through stored rows before anything is read from them. */
  checkStored(context: SyncContext): Promise<void>
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
