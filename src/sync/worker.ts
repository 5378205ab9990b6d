import { hasAny } from '#store/database/has-any.ts'
import { upgradeEntries } from '#store/outbox/upgrades.ts'
import { SomaDb } from '#store/soma-db.ts'
import { realClock, webLocks } from './platform/context.ts'
import { isOffline } from './platform/offline.ts'
import { withRoom } from './platform/storage-quota.ts'
import { metered } from './platform/traffic-meter.ts'
import { tryNow } from './push/backoff.ts'
import { drain as drainOutbox } from './push/sender.ts'
import { revokeTokens } from './session/revoke.ts'
import { noteTraffic } from './status.ts'

/**
 * The service worker's way in: sends what waits with no page open. Rejects while something still
 * waits, also when a tab is at it that may yet be closed, so that the browser wakes the worker again
 * later.
 */
export async function drain(base: string): Promise<void> {
  const db = new SomaDb()
  try {
    await db.open()
    await upgradeEntries(db)
    // The browser woke us because there is a network.
    await tryNow(db)
    const meter = { up: 0, down: 0 }
    const tools = {
      ...{ db, base, meter, isOffline },
      // The demo's worker does not send.
      cachePrefix: '',
      transport: metered((request) => fetch(request), meter, isOffline),
      ...{ clock: realClock, random: Math.random, locks: webLocks, holder: 'service-worker' },
    }
    const drained = await withRoom(tools, () => drainOutbox(tools))
    const unrevoked = await revokeTokens(tools, true)
    await noteTraffic(tools)
    if (unrevoked !== undefined || (drained ? drained.nextAt !== undefined : await hasUnsent(db)))
      throw new Error('Something still waits to be sent')
  } finally {
    db.close()
  }
}

const hasUnsent = (db: SomaDb): PromiseLike<boolean> =>
  hasAny(db.outbox.where('state').anyOf('waiting', 'sending', 'retrying'))
