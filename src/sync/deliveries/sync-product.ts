import { type ListRef, listKey } from '#store/database/lists.ts'
import { hasGuestToHear, holdsGarbage, holdsRows, holdsUnsynced } from '#store/queries/held.ts'
import { currentSession } from '#store/session/account.ts'
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
  owedAfter: ({ refused, stale }) => [
    ...[...refused].filter((lane) => !lane.includes(':')).map(deliveryOf),
    ...[...stale].filter((key) => key.startsWith(ofDelivery)).map(deliveryIn),
  ],
}

const ofDelivery = listKey({ kind: 'delivery', id: '' })
const deliveryOf = (id: string): ListRef => ({ kind: 'delivery', id })
const deliveryIn = (key: string): ListRef => deliveryOf(key.slice(ofDelivery.length))
