import type { Transport } from '#contract/transport.ts'
import { deleteCachedImages } from '#store/account/image-cache.ts'
import { hasRevocations } from '#store/account/revocations.ts'
import { storeDiagnostics } from '#store/database/device/diagnostics.ts'
import { noteTraffic } from '#store/database/device/traffic.ts'
import { noteUpdateRequired, updateRequired } from '#store/database/device/update.ts'
import { withEviction } from '#store/database/with-eviction.ts'
import { evict } from '#store/deliveries/evict.ts'
import { retryNow } from '#store/outbox/backoff.ts'
import { hasSendable } from '#store/outbox/unsent.ts'
import { upgradeEntries } from '#store/outbox/upgrades.ts'
import { SomaDb } from '#store/soma-db.ts'
import { work } from './challenge/work.ts'
import { pushProduct } from './deliveries/push-product.ts'
import {
  type Clock,
  type Locks,
  realClock,
  type SyncContext,
  webLocks,
} from './platform/context.ts'
import { noticeUpdate } from './platform/notice-update.ts'
import { isOffline as deviceIsOffline } from './platform/offline.ts'
import { reportQueue } from './platform/report-queue.ts'
import { identifyRequests } from './platform/request-ids.ts'
import { countTraffic, createTrafficMeter } from './platform/traffic-meter.ts'
import { drain as drainOutbox } from './push/sender.ts'
import { revokeTokens } from './session/revoke.ts'

/** What the worker takes from the browser; tests stand in for it. */
type Surroundings = {
  db?: SomaDb
  transport?: Transport
  clock?: Clock
  locks?: Locks
  random?: () => number
  newId?: () => string
  isOffline?: () => boolean
  /** Names this worker in leases. */
  holder?: string
}

/**
 * The service worker's way in: sends what waits with no page open (S35). Rejects while something still
 * waits, also when a tab is sending that may yet be closed, so that the browser wakes the worker again
 * later.
 */
export async function drain(base: string, surroundings: Surroundings = {}): Promise<void> {
  const {
    db = new SomaDb(),
    transport = (request) => fetch(request),
    clock = realClock,
    locks = webLocks,
    random = Math.random,
    newId = () => crypto.randomUUID(),
    isOffline = deviceIsOffline,
    holder = 'service-worker',
  } = surroundings
  try {
    await db.open()
    await upgradeEntries(db)
    // Everything but logouts waits for the update, which brings a worker of its own (S48, S70).
    const waitsForUpdate = await updateRequired(db)
    if (waitsForUpdate && !(await hasRevocations(db))) return
    // The browser woke us because there is a network.
    if (!waitsForUpdate) await retryNow(db)
    const traffic = createTrafficMeter()
    const context: SyncContext<SomaDb> = {
      db,
      base,
      traffic,
      isOffline,
      // The demo's worker does not send.
      cachePrefix: '',
      transport: noticeUpdate(
        reportQueue(identifyRequests(countTraffic(transport, traffic, isOffline), newId), {
          db,
          base,
          clock,
        }),
        () => noteUpdateRequired(db, 'config'),
      ),
      // A service worker is beside the page already, and can start no worker of its own.
      solve: work,
      clock,
      random,
      newId,
      locks,
      holder,
      isWorker: true,
    }
    const sendEntries = () =>
      withEviction(
        db,
        async () => {
          await deleteCachedImages('')
          await evict(db)
        },
        () => drainOutbox(context, pushProduct),
      )
    const drained = waitsForUpdate ? { nextAt: undefined } : await sendEntries()
    const revokeAt = await revokeTokens(context, true)
    await noteTraffic(db, clock.now(), traffic.take())
    const sendAgain = drained ? drained.nextAt !== undefined : await hasSendable(db)
    if (revokeAt !== undefined || sendAgain) throw new Error('Something still waits to be sent')
  } finally {
    await storeDiagnostics(db)
    db.close()
  }
}
