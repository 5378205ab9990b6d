import type { Transport } from '#contract/transport.ts'
import { work } from '#sync/challenge/work.ts'
import { note, storeDiagnostics } from '#sync/database/device/diagnostics.ts'
import { noteTraffic } from '#sync/database/device/traffic.ts'
import { noteUpdateRequired, updateRequired } from '#sync/database/device/update.ts'
import { isUndoable } from '#sync/database/entry.ts'
import { withEviction } from '#sync/database/with-eviction.ts'
import { hasRevocations } from '#sync/logouts/revocations.ts'
import { revokeTokens } from '#sync/logouts/revoke.ts'
import type { Drained } from '#sync/model.ts'
import { retryNow } from '#sync/outbox/backoff.ts'
import { hasSendable } from '#sync/outbox/unsent.ts'
import { upgradeEntries } from '#sync/outbox/upgrades.ts'
import { createWaits } from '#sync/outbox/waits.ts'
import {
  type Clock,
  createPause,
  isOffline as deviceIsOffline,
  type Locks,
  realClock,
  realTransport,
  type SyncContext,
  webLocks,
} from '#sync/platform/context.ts'
import { noticeUpdate } from '#sync/platform/notice-update.ts'
import { reportQueue } from '#sync/platform/report-queue.ts'
import { identifyRequests } from '#sync/platform/request-ids.ts'
import { countTraffic, createTrafficMeter } from '#sync/platform/traffic-meter.ts'
import { drain as drainOutbox } from '#sync/push/sender.ts'
import { deleteCachedImages } from './account/image-cache.ts'
import { evict } from './maintenance/evict.ts'
import { ownSubscriptions } from './model/own-subscriptions.ts'
import { sendModel } from './model/requests.ts'
import { pullAnyList } from './pull/pull-list.ts'
import { SomaDb } from './soma-db.ts'

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

/** Milliseconds in which the worker waits, within one event of the browser, for what can still be undone. */
const longestWait = 30_000
/** Milliseconds after which what a tab is sending is looked at again. */
const lookAgain = 2_000

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
    const drained = waitsForUpdate ? undefined : await sendEntries(context)
    const revokeAt = await revokeTokens(context, sendModel, true)
    const sendAgain = !waitsForUpdate && (await sendHeld(context, drained))
    return revokeAt !== undefined || sendAgain
  })
  if (waits) throw new Error('Something still waits to be sent')
}

const sendEntries = (context: Context): Promise<Drained | undefined> =>
  evicting(context.db, () => drainOutbox(context, sendModel))

/**
 * Waits for what can still be undone, and for a tab that sends, and sends what is left of it: the tab may be closed
 * meanwhile, and the browser comes again only minutes later (S76). Returns whether something waits after that.
 */
async function sendHeld(context: Context, first: Drained | undefined): Promise<boolean> {
  const { db, clock } = context
  const until = clock.monotonic() + longestWait
  for (let drained = first; ; drained = await sendEntries(context)) {
    if (drained && drained.nextAt === undefined) return false
    if (!drained && !(await hasSendable(db))) return false
    const pause = drained ? await untilHoldEnds(context) : lookAgain
    if (pause === undefined || clock.monotonic() + pause > until) return true
    await createPause(clock).wait(pause)
  }
}

/** Milliseconds until the first of what can still be undone leaves; nothing where there is none. */
async function untilHoldEnds({ db, waits }: Context): Promise<number | undefined> {
  const held = await db.outbox.where('state').equals('waiting').filter(isUndoable).toArray()
  const left = held.map(waits.left).filter((each) => each > 0)
  return left.length === 0 ? undefined : Math.min(...left)
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
    transport = realTransport,
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
    waits: createWaits(clock, true),
    random,
    newId,
    locks,
    holder,
    isWorker: true,
  }
}

/** On a full phone what can be fetched again is deleted (S26). */
const evicting = <T>(db: SomaDb, work: () => Promise<T>): Promise<T> =>
  withEviction(
    db,
    async () => {
      await deleteCachedImages('')
      await evict(db)
    },
    work,
  )
