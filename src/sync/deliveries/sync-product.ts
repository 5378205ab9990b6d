import { currentSession } from '#store/account/account.ts'
import { hasGuestToHear, holdsGarbage, holdsRows, holdsUnsynced } from '#store/queries/held.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { SyncProduct } from '../engine/product.ts'
import { loadLazy } from '../load-lazy.ts'
import type { SyncContext } from '../platform/context.ts'
import { pullList } from '../pull/pull.ts'
import { subscriptions } from './subscriptions.ts'

/** Deliveries, as the engine needs them. */
export const syncProduct: SyncProduct = {
  subscriptions,
  versionList: { kind: 'config' },
  pull: (context: SyncContext<SomaDb>, list) => pullList(context, list, loadLazy),
  holdsRows,
  holdsUnsynced,
  holdsGarbage,
  hasListener: async (db: SomaDb) => (await currentSession(db)) !== undefined || hasGuestToHear(db),
  // Lanes that are no delivery have a kind before a colon.
  listOfLane: (lane) => (lane.includes(':') ? undefined : { kind: 'delivery', id: lane }),
}
