import type { Transport } from '#contract/transport.ts'
import { deleteCachedImages } from '#store/account/image-cache.ts'
import { hasRevocations } from '#store/account/revocations.ts'
import { note, storeDiagnostics } from '#store/database/device/diagnostics.ts'
import { noteTraffic } from '#store/database/device/traffic.ts'
import { noteUpdateRequired, updateRequired } from '#store/database/device/update.ts'
import { withEviction } from '#store/database/with-eviction.ts'
import { evict } from '#store/deliveries/evict.ts'
import { retryNow } from '#store/outbox/backoff.ts'
import { hasSendable } from '#store/outbox/unsent.ts'
import { upgradeEntries } from '#store/outbox/upgrades.ts'
import { SomaDb } from '#store/soma-db.ts'
import { work } from './challenge/work.ts'
import { ownSubscriptions } from './deliveries/own-subscriptions.ts'
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
import { pullAnyList } from './pull/own-list.ts'
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

type Context = SyncContext<SomaDb>

/**
 * The service worker's way in: sends what waits with no page open (S35). Rejects while something still
 * waits, also when a tab is sending that may yet be closed, so that the browser wakes the worker again
 * later.
 */
export async function drain(base: string, surroundings: Surroundings = {}): Promise<void> {
  const waits = await inWorker(base, surroundings, async (context) => {
    const { db } = context
    // Everything but logouts waits for the update, which brings a worker of its own (S48, S70).
    const waitsForUpdate = await updateRequired(db)
    if (waitsForUpdate && !(await hasRevocations(db))) return false
    // The browser woke us because there is a network.
    if (!waitsForUpdate) await retryNow(db)
    const drained = waitsForUpdate
      ? { nextAt: undefined }
      : await evicting(db, () => drainOutbox(context, pushProduct))
    const revokeAt = await revokeTokens(context, true)
    const sendAgain = drained ? drained.nextAt !== undefined : await hasSendable(db)
    return revokeAt !== undefined || sendAgain
  })
  if (waits) throw new Error('Something still waits to be sent')
}

/**
 * Pulls what the screen at this path shows: a push message has named it, and the tap on it may come without a network
 * (S82). Never rejects: what could not be pulled the page pulls when it is opened.
 */
export async function pullScreen(
  base: string,
  path: string,
  surroundings: Surroundings = {},
): Promise<void> {
  const pullAll = async (context: Context) => {
    const { db, clock } = context
    if (await updateRequired(db)) return
    const id = /\/delivery\/([^/]+)$/.exec(path)?.[1]
    const lists = id ? [{ kind: 'delivery', id }] : await ownSubscriptions(db, [], clock.now())
    await evicting(db, () => Promise.all(lists.map((list) => pullAnyList(context, list))))
  }
  await inWorker(base, surroundings, pullAll).catch((error) =>
    note('What a message names was not pulled', { error }),
  )
}

/** Runs `work` with the phone's database open, and closes it. Rejects as `work` does. */
async function inWorker<T>(
  base: string,
  surroundings: Surroundings,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const context = contextOf(base, surroundings)
  const { db, clock, traffic } = context
  try {
    await db.open()
    await upgradeEntries(db)
    const done = await work(context)
    await noteTraffic(db, clock.now(), traffic.take())
    return done
  } finally {
    await storeDiagnostics(db)
    db.close()
  }
}

function contextOf(base: string, surroundings: Surroundings): Context {
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
  const traffic = createTrafficMeter()
  const counted = identifyRequests(countTraffic(transport, traffic, isOffline), newId)
  return {
    db,
    base,
    traffic,
    isOffline,
    // The demo's worker does not send.
    cachePrefix: '',
    transport: noticeUpdate(reportQueue(counted, { db, base, clock }), () =>
      noteUpdateRequired(db, 'config'),
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
}

/** On a full phone what can be fetched again makes room (S26). */
const evicting = <T>(db: SomaDb, work: () => Promise<T>): Promise<T> =>
  withEviction(
    db,
    async () => {
      await deleteCachedImages('')
      await evict(db)
    },
    work,
  )
