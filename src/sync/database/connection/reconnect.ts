import { Dexie } from 'dexie'

/** Timers in milliseconds, and the moments at which the person returns to the page. */
export type ReconnectTimers = {
  setTimeout: (work: () => void, delay: number) => unknown
  clearTimeout: (timer: unknown) => void
  onResume?: (work: () => void) => () => void
}

const browserTimers: ReconnectTimers = {
  setTimeout: (work, delay) => setTimeout(work, delay),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
}

/** Milliseconds until a lost database is opened again; twice as long after each failure, up to the longest. */
const firstPause = 250
const longestPause = 2_000

/** Errors of `open` that no pause helps against. */
const lastingErrors = ['VersionError', 'QuotaExceededError']

export type Reconnect = ReturnType<typeof createReconnect>

/**
 * Keeps a database usable whose connection the browser has lost (S84): Dexie opens it again only once, and a failure
 * is final. `indexedDB` is given to Dexie; its `open` is repeated until it succeeds once the database has been open,
 * so that whatever asks meanwhile waits. A first opening that fails is the caller's.
 */
export function createReconnect({
  setTimeout,
  clearTimeout,
  onResume,
}: ReconnectTimers = browserTimers) {
  let db: Dexie | undefined
  let wasOpen = false
  let isLost = false
  let timer: unknown
  let openNow = () => {}
  let stopResuming = () => {}
  const listeners = new Set<(isLost: boolean) => unknown>()

  function setLost(lost: boolean) {
    if (isLost === lost) return
    isLost = lost
    stopResuming()
    stopResuming = (lost && onResume?.(resume)) || (() => {})
    for (const listener of listeners) listener(lost)
  }

  function resume() {
    openNow()
    // It may have failed for good when it was last tried. Queries that wait for it learn the result from Dexie.
    db?.open().catch(() => {})
  }

  function follow(connection: IDBDatabase) {
    const lose = () => {
      if (db?.backendDB() !== connection) return
      setLost(true)
      db.close({ disableAutoOpen: false })
      resume()
    }
    // Dexie keeps events of transactions from bubbling up to here.
    const capture = ({ target }: Event) => isServerLost((target as IDBRequest).error) && lose()
    connection.addEventListener('close', lose)
    connection.addEventListener('abort', capture, true)
    connection.addEventListener('error', capture, true)
  }

  function open(name: string, version?: number): IDBOpenDBRequest {
    if (wasOpen) return openUntilItSucceeds(name, version)
    const request = Dexie.dependencies.indexedDB.open(name, version)
    request.addEventListener('success', () => follow(request.result))
    return request
  }

  /** What Dexie needs of a request that stands for one after another. */
  function openUntilItSucceeds(name: string, version?: number): IDBOpenDBRequest {
    let request: IDBOpenDBRequest | undefined
    let pause = firstPause
    const lasting = {
      onsuccess: noHandler,
      onerror: noHandler,
      onblocked: noHandler,
      onupgradeneeded: noHandler,
      get result() {
        return request?.result
      },
      get transaction() {
        return request?.transaction
      },
    }
    const later = () => {
      setLost(true)
      openNow = () => {
        clearTimeout(timer)
        attempt()
      }
      timer = setTimeout(openNow, pause)
      pause = Math.min(longestPause, pause * 2)
    }
    const attempt = () => {
      openNow = () => {}
      let asked: IDBOpenDBRequest
      try {
        asked = Dexie.dependencies.indexedDB.open(name, version)
      } catch {
        return later()
      }
      request = asked
      let isUpgrading = false
      asked.onblocked = (event) => lasting.onblocked(event)
      asked.onupgradeneeded = (event) => {
        isUpgrading = true
        lasting.onupgradeneeded(event)
      }
      asked.onsuccess = (event) => {
        // Closed on purpose meanwhile.
        if (!wasOpen) return asked.result.close()
        follow(asked.result)
        lasting.onsuccess(event)
      }
      asked.onerror = (event) => {
        if (isUpgrading || lastingErrors.includes(`${asked.error?.name}`)) lasting.onerror(event)
        else later()
      }
    }
    attempt()
    return lasting as unknown as IDBOpenDBRequest
  }

  return {
    indexedDB: Dexie.dependencies.indexedDB && {
      open,
      deleteDatabase: (name: string) => Dexie.dependencies.indexedDB.deleteDatabase(name),
      // Where the browser has no list of its databases Dexie keeps one.
      databases: Dexie.dependencies.indexedDB.databases?.bind(Dexie.dependencies.indexedDB),
    },

    /** Called by the database once it is made. */
    attach(made: Dexie) {
      db = made
      const opened = () => {
        wasOpen = true
        setLost(false)
      }
      made.on('ready', opened, true)
    },

    /** Called when the database is closed on purpose: it is not opened again by itself. */
    stop() {
      wasOpen = false
      openNow = () => {}
      clearTimeout(timer)
      setLost(false)
    },

    /** Calls `listener` with whether the connection is lost, now and at each change. Returns how to stop. */
    followLost(listener: (isLost: boolean) => unknown): () => void {
      listeners.add(listener)
      listener(isLost)
      return () => listeners.delete(listener)
    },
  }
}

const noHandler = (_: Event): unknown => undefined

/** Safari has lost the process that holds its databases, and does not say that it closed the connection. */
const isServerLost = (error: DOMException | null | undefined): boolean =>
  error?.name === 'UnknownError' && /connection/i.test(error.message)

/** How work ends that was under way when the connection was lost. `DatabaseClosedError`: it was closed on purpose. */
const lostErrors = [
  'AbortError',
  'InvalidStateError',
  'OpenFailedError',
  'TransactionInactiveError',
]

/** Whether work failed because the connection to its database was lost: nothing of its transaction stands. */
export function isConnectionLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, inner } = error as { name?: unknown; inner?: unknown }
  if (name === 'AbortError' && inner) return isConnectionLost(inner)
  return lostErrors.includes(`${name}`) || isServerLost(error as DOMException)
}
