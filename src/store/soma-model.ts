import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import type { Model } from '#sync/model.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { loadLazy } from './load-lazy.ts'
import { subscriptions } from './model/subscriptions.ts'
import { pullList } from './pull/pull.ts'
import { hasGarbage, hasGuestToHear, hasRows, hasUnsynced } from './queries/has-stored.ts'
import { currentSession } from './session.ts'
import type { SomaDb } from './soma-db.ts'

/** Deliveries, as the engine needs them; its `LazyModel` stands in `lazy.ts`. */
export const model: Model = {
  subscriptions,
  versionList: { kind: 'config' },
  pull: (context: SyncContext<SomaDb>, list) => pullList(context, list, loadLazy),
  hasRows,
  hasUnsynced,
  hasGarbage,
  hasListener: async (db: SomaDb) => (await currentSession(db)) !== undefined || hasGuestToHear(db),
  // Lanes that are no delivery have a kind before a colon.
  owedAfter: ({ refused, stale }) => [
    ...[...refused].filter((lane) => !lane.includes(':')).map(deliveryOf),
    ...[...stale].filter((key) => key.startsWith(ofDelivery)).map(deliveryIn),
  ],
  evict: async (context: SyncContext<SomaDb>) => (await loadLazy()).evict(context),
  loadLazy: async () => (await loadLazy()).lazyEngine,
}

const ofDelivery = listKey({ kind: 'delivery', id: '' })
const deliveryOf = (id: string): ListRef => ({ kind: 'delivery', id })
const deliveryIn = (key: string): ListRef => deliveryOf(key.slice(ofDelivery.length))
