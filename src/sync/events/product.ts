import type { EngineDb } from '#store/database/engine-db.ts'
import type { ListRef } from '#store/database/lists.ts'
import type { Change } from '../engine/product.ts'

/** A row of a list, or the ID of one that left it. */
export type OfferedRow = { id: string; row?: unknown }

/**
 * For whom events are heard: whoever is logged in, or a guest. `covers`: keys of the only lists that these
 * events tell of; without it those of the whole account.
 */
export type Listener = { account: string; token: string; covers?: readonly string[] }

/** What a product registers with the event stream. */
export type EventsProduct = {
  /** Whether the events of a stream that names these routes tell of the changes of the list of this key. */
  isPushed(key: string, routes: readonly string[]): boolean
  /** The routes that a stream for these lists names; none where it names all. */
  routesOf(lists: readonly ListRef[]): string[]
  /**
   * Takes rows that events carry into the store, and returns those that must be asked for all the same.
   * `serverAt`: by the clock that is never set.
   */
  saveOffers(
    db: EngineDb,
    account: string,
    offers: readonly OfferedRow[],
    serverAt: number,
  ): Promise<Change[]>
  /** Lists that the events of whoever is logged in say nothing of. */
  unpushedLists(db: EngineDb): Promise<ListRef[]>
  /** For whom events are heard where nobody is logged in. `watched`: what this tab shows. */
  guestListener(db: EngineDb, watched: readonly ListRef[]): Promise<Listener | undefined>
  /** Which of the lists `among` a change touches. */
  affectedLists(db: EngineDb, account: string, change: Change, among: ListRef[]): Promise<ListRef[]>
}
