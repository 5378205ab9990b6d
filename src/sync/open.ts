import { v7 } from 'uuid'
import type { Transport } from '#contract/call.ts'
import { createCommands } from '#store/commands/commands.ts'
import { lazily } from '#store/lazy-methods.ts'
import { SomaDb } from '#store/soma-db.ts'
import { createEngine } from './engine/engine.ts'
import type { Exported, ExportOptions } from './export/export.ts'
import { type Clock, type Locks, realClock, type Tools, webLocks } from './platform/context.ts'
import { pageSurroundings, type Surroundings } from './platform/environment.ts'
import { roomy } from './platform/storage-quota.ts'
import { metered } from './platform/traffic-meter.ts'
import type { Upload } from './push/upload-xhr.ts'
import { mirrorIn, type Storage, startMirror } from './session/local-storage.ts'

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
  surroundings?: Surroundings
  storage?: Storage
  redraw?: Tools['redraw']
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
  surroundings = pageSurroundings,
  storage,
  redraw,
}: Options) {
  const db = new SomaDb(dbName)
  const meter = { up: 0, down: 0 }
  const { isOffline } = surroundings
  const tools = {
    ...{ db, cachePrefix, meter, base, clock, random, locks, holder: newId() },
    transport: metered(transport ?? ((request) => fetch(request)), meter, isOffline),
    upload: transport ? undefined : byXhr,
    isOffline,
    redraw,
  }
  const engine = createEngine(tools, surroundings)
  const session = lazily(async () => {
    const { createSession } = await import('./session/session.ts')
    return createSession(tools, engine, mirrorIn(storage))
  })
  const commands = roomy(tools, createCommands({ db, now: clock.now, newId }))

  let settle = () => {}
  /** Resolves once it is known whether local storage tells of a person this device did not know. */
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })

  async function start(): Promise<void> {
    // Dexie opens by itself whenever it is asked for something.
    await db.open().catch(() => {})
    await startMirror(db, storage, session).finally(settle)
    await engine.start()
  }

  /** An admin's lists as files; loaded when first asked for. */
  const exportCsv = async (...asked: [Exported, ExportOptions]) =>
    (await import('./export/export.ts')).exportCsv(tools, ...asked)

  /** An ID photo for the admin who looks at it; loaded when first asked for. */
  const privatePhoto = async (...asked: [string, AbortSignal?]) =>
    (await import('./export/export.ts')).fetchPrivatePhoto(tools, ...asked)

  return { db, engine, session, commands, start, settled, exportCsv, privatePhoto }
}

const byXhr: Upload = async (...asked) =>
  (await import('./push/upload-xhr.ts')).uploadByXhr(...asked)
