import type { EngineDb } from '#store/database/engine-db.ts'
import type { ListRef } from '#store/database/lists.ts'
import type { Change } from '../engine/product.ts'

/** What a product registers with the event stream. */
export type EventsProduct = {
  /** Whether events name the changes of the list of this key. */
  isPushed(key: string): boolean
  /** Lists that the events of whoever is logged in say nothing of. */
  unpushedLists(db: EngineDb): Promise<ListRef[]>
  /** Which of the lists `among` a change touches. */
  affectedLists(db: EngineDb, account: string, change: Change, among: ListRef[]): Promise<ListRef[]>
}
