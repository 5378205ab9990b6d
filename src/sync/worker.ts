import { deleteCachedImages } from '#store/account/image-cache.ts'
import { storeDiagnostics } from '#store/database/device/diagnostics.ts'
import { noteTraffic } from '#store/database/device/traffic.ts'
import { withEviction } from '#store/database/with-eviction.ts'
import { evict } from '#store/deliveries/evict.ts'
import { retryNow } from '#store/outbox/backoff.ts'
import { hasSendable } from '#store/outbox/unsent.ts'
import { upgradeEntries } from '#store/outbox/upgrades.ts'
import { SomaDb } from '#store/soma-db.ts'
import { pushProduct } from './deliveries/push-product.ts'
import { realClock, type SyncContext, webLocks } from './platform/context.ts'
import { isOffline } from './platform/offline.ts'
import { reportQueue } from './platform/report-queue.ts'
import { identifyRequests } from './platform/request-ids.ts'
import { countTraffic, createTrafficMeter } from './platform/traffic-meter.ts'
import { drain as drainOutbox } from './push/sender.ts'
import { revokeTokens } from './session/revoke.ts'

/**
 * The service worker's way in: sends what waits with no page open (S35). Rejects while something still
 * waits, also when a tab is sending that may yet be closed, so that the browser wakes the worker again
 * later.
 */
export async function drain(base: string): Promise<void> {
  const db = new SomaDb()
  try {
    await db.open()
    await upgradeEntries(db)
    // The browser woke us because there is a network.
    await retryNow(db)
    const traffic = createTrafficMeter()
    const context: SyncContext<SomaDb> = {
      db,
      base,
      traffic,
      isOffline,
      // The demo's worker does not send.
      cachePrefix: '',
      transport: reportQueue(
        identifyRequests(
          countTraffic((request) => fetch(request), traffic, isOffline),
          () => crypto.randomUUID(),
        ),
        { db, base, clock: realClock },
      ),
      clock: realClock,
      random: Math.random,
      locks: webLocks,
      holder: 'service-worker',
    }
    const drained = await withEviction(
      db,
      async () => {
        await deleteCachedImages('')
        await evict(db)
      },
      () => drainOutbox(context, pushProduct),
    )
    const revokeAt = await revokeTokens(context, true)
    await noteTraffic(db, Date.now(), traffic.take())
    const sendAgain = drained ? drained.nextAt !== undefined : await hasSendable(db)
    if (revokeAt !== undefined || sendAgain) throw new Error('Something still waits to be sent')
  } finally {
    await storeDiagnostics(db)
    db.close()
  }
}
