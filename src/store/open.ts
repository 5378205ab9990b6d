import { v7 } from 'uuid'
import type { Transport } from '#contract/transport.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { noteUpdateRequired } from '#sync/database/device/update.ts'
import { type Evict, withEviction } from '#sync/database/with-eviction.ts'
import { createEngine } from '#sync/engine/engine.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'
import { createWaits } from '#sync/outbox/waits.ts'
import {
  type Clock,
  type Locks,
  realClock,
  realTransport,
  type SyncContext,
  webLocks,
} from '#sync/platform/context.ts'
import type { Environment } from '#sync/platform/environment.ts'
import { noticeUpdate } from '#sync/platform/notice-update.ts'
import { pageEnvironment } from '#sync/platform/page-environment.ts'
import { identifyRequests } from '#sync/platform/request-ids.ts'
import { countTraffic, createTrafficMeter } from '#sync/platform/traffic-meter.ts'
import type { Upload } from '#sync/platform/upload-xhr.ts'
import { createCommands } from './commands/commands.ts'
import type { Exported, ExportOptions } from './export/export.ts'
import { lazyMethods } from './lazy-methods.ts'
import { type Lazy, loadedLazy, loadLazy } from './load-lazy.ts'
import type { AccountSession } from './login/account-session.ts'
import {
  localStorageSession,
  type Storage,
  startLocalStorageSession,
} from './login/local-storage.ts'
import { SomaDb } from './soma-db.ts'
import { model } from './soma-model.ts'

export type Soma = ReturnType<typeof openSoma>

type Options = {
  /** Address of the API, without a slash at its end. */
  base: string
  dbName?: string
  /** Before the names of this app's caches, where another app of the same origin has some too. */
  cachePrefix?: string
  transport?: Transport
  clock?: Clock
  random?: () => number
  newId?: () => string
  locks?: Locks
  environment?: Environment
  storage?: Storage
  redraw?: SyncContext['redraw']
  isOnMobileData?: SyncContext['isOnMobileData']
}

/** Opens this device: its store, what a person can do with it, and the engine that syncs it. */
export function openSoma({
  base,
  dbName = 'soma',
  cachePrefix = '',
  transport,
  clock = realClock,
  random = Math.random,
  newId = v7,
  locks = webLocks,
  environment = browserEnvironment,
  storage,
  redraw,
  isOnMobileData,
}: Options) {
  const { setTimeout, clearTimeout } = clock
  const db = new SomaDb(dbName, { setTimeout, clearTimeout, onResume: environment.onResume })
  db.followLost((isLost) => isLost && note('The connection to the database was lost'))
  const traffic = createTrafficMeter()
  const { isOffline } = environment
  const waits = createWaits(clock)
  const context: SyncContext<SomaDb> = {
    db,
    cachePrefix,
    traffic,
    base,
    clock,
    waits,
    random,
    newId,
    locks,
    holder: newId(),
    transport: noticeUpdate(
      reportLater(
        identifyRequests(countTraffic(transport ?? realTransport, traffic, isOffline), newId),
        { db, base, clock },
      ),
      () => noteUpdateRequired(db, 'config'),
    ),
    upload: transport ? undefined : uploadByXhr,
    solve: async (challenge) => (await loadLazy()).solve(challenge),
    isOffline,
    isOnMobileData,
    redraw,
  }
  const evict: Evict = () => model.evict(context)
  const engine = createEngine({ context, environment, model })
  // What it holds, such as the event stream, is for the tab of the newer version (S83).
  db.on('versionchange', ({ newVersion }) => {
    if (newVersion) void engine.stop()
  })
  const run = <T>(command: () => Promise<T>) => withEviction(db, evict, command)
  const commands = createCommands({ db, now: clock.now, waits, newId, loadLazy, run })
  const session = openSession(context, engine, storage, commands.discardAll)

  let settle = () => {}
  /** Resolves once local storage and the store agree on who is logged in. */
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })

  /** `drawn`: what the engine waits for, so that rows of this phone are shown before it asks for others. */
  async function start(drawn?: Promise<unknown>): Promise<void> {
    // Dexie opens by itself whenever it is asked for something.
    await db.open().catch((error) => note('The database did not open', { error }))
    await startLocalStorageSession(db, storage, session).finally(settle)
    await drawn
    await engine.start()
  }

  /** An admin's lists as files. */
  const exportCsv = async (...asked: [Exported, ExportOptions]) =>
    (await loadLazy()).exportCsv(context, ...asked)

  /** Everything of this person that has not reached the server, as one JSON file. */
  const unsentFile = async () => (await loadLazy()).unsentFile(db, clock.now())

  /** An ID photo for the admin who looks at it. */
  const privatePhoto = async (...asked: [string, AbortSignal?]) =>
    (await loadLazy()).fetchPrivatePhoto(context, ...asked)

  /** Asks for the page of a list that is older than what this phone holds of it (S50). */
  const pullOlder = async (list: ListRef) => {
    const lazy = await loadLazy()
    return withEviction(db, evict, () => lazy.pullOlder(context, list))
  }

  /** Loads what the first page does without: there may be no network any more when it is needed. */
  const prefetch = () => void loadLazy().catch(() => undefined)

  return {
    db,
    engine,
    session,
    commands,
    waits,
    start,
    settled,
    exportCsv,
    unsentFile,
    privatePhoto,
    pullOlder,
    prefetch,
  }
}

/** A visitor's phone has no queue to report: the rest of the app is not loaded for that. */
function reportLater(transport: Transport, about: Parameters<Lazy['reportQueue']>[1]): Transport {
  let reporting: Transport | undefined
  return (request) => {
    reporting ??= loadedLazy()?.reportQueue(transport, about)
    return (reporting ?? transport)(request)
  }
}

const browserEnvironment: Environment = {
  ...pageEnvironment,
  // A browser without Background Sync sends when the app is opened again.
  wakeWorker: () =>
    void loadLazy()
      .then((lazy) => lazy.askForBackgroundSync())
      .catch((error) => note('The worker was not asked to send', { error })),
}

const uploadByXhr: Upload = async (...asked) => (await loadLazy()).uploadByXhr(...asked)

function openSession(
  context: SyncContext<SomaDb>,
  engine: ReturnType<typeof createEngine>,
  storage: Storage | undefined,
  discardAll: (account: string) => Promise<string[]>,
): AccountSession {
  let opened: AccountSession | undefined
  return lazyMethods<AccountSession>(async () => {
    const { createSession } = await loadLazy()
    opened ??= createSession(context, engine, localStorageSession(storage), discardAll)
    return opened
  })
}
