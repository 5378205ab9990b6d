import type { Transport } from '#contract/transport.ts'
import type { EngineDb } from '../database/engine-db.ts'
import type { Waits } from '../outbox/waits.ts'
import type { MonotonicTime } from '../time.ts'
import type { TrafficMeter } from './traffic-meter.ts'
import type { Upload } from './upload-xhr.ts'

/** Time as the engine sees it, so that tests can bend it. Milliseconds. */
export type Clock = {
  /** The device's clock, which may be wrong and may be set. Since 1970. */
  now: () => number
  /** Counts on from what the device's clock said when this page was opened. */
  monotonic: () => MonotonicTime
  setTimeout: (work: () => void, delay: number) => unknown
  clearTimeout: (timer: unknown) => void
}

/** One sender at a time: runs `work` under the lock, or returns `false` when another holds it. */
export type Locks = {
  run: (name: string, work: () => Promise<void>) => Promise<boolean>
  /** Whether the lock really keeps every other tab and worker out, and falls when its holder dies. */
  exclusive: boolean
}

/** What the engine needs of the world around it. */
export type SyncContext<Db extends EngineDb = EngineDb> = {
  db: Db
  /** Before the name of every cache of this app in the browser: the demo's has its address in it. */
  cachePrefix: string
  transport: Transport
  /** What `transport` has carried. */
  traffic: TrafficMeter
  /** Sends files where something better than `transport` can: a page can report their progress. */
  upload?: Upload
  /** Solves a challenge of the server (S68). Rejects when it cannot. */
  solve?: (challenge: object) => Promise<string>
  /** Draws an image anew, without its metadata (R66); a page can, a worker cannot. */
  redraw?: (bytes: ArrayBuffer, type: string) => Promise<{ bytes: ArrayBuffer; type: string }>
  /** Address of the API, without a slash at its end. */
  base: string
  clock: Clock
  waits: Waits
  random: () => number
  /** UUIDv7. */
  newId: () => string
  locks: Locks
  /** Names this tab or worker in leases. */
  holder: string
  /** It is started anew for every try. */
  isWorker?: true
  /** The phone is on mobile data; the browser's word where it is left out. */
  isOnMobileData?: () => boolean
  /** The device reports no network at all: a request made now cannot leave. */
  isOffline?: () => boolean
}

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.timeOrigin + performance.now(),
  setTimeout: (work, delay) => setTimeout(work, delay),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
}

/** A wait that can be ended before its time. */
export function createPause(clock: Clock) {
  let wake = () => {}
  return {
    /** Resolves after so many milliseconds, or when it is ended. */
    wait: (delay: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = clock.setTimeout(resolve, delay)
        wake = () => {
          clock.clearTimeout(timer)
          resolve()
        }
      }),
    end: () => wake(),
  }
}

/** The browser's own way to the server. */
export const realTransport: Transport = (request) => fetch(request)

/** The device reports no network at all: a request made now cannot leave. */
export const isOffline = (): boolean => !navigator.onLine

/** Web Locks where there are some; a page without them is alone as far as it can know. */
export const webLocks: Locks =
  typeof navigator !== 'undefined' && navigator.locks
    ? {
        exclusive: true,
        run: (name, work) =>
          navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
            if (!lock) return false
            await work()
            return true
          }),
      }
    : {
        exclusive: false,
        run: async (_, work) => {
          await work()
          return true
        },
      }

/** Milliseconds that a call usually has. */
export const patience = 30_000

/** A time limit is counted in so many steps. */
const steps = 6

/**
 * A signal that aborts after `delay` milliseconds or when `stop` does, and how to take it back once the response is
 * there. Time in which the page could not run counts as one step at most: the response may have been there long before.
 * Written by hand, because the oldest browsers have no `AbortSignal.any`.
 */
export function deadline(
  clock: Clock,
  delay: number,
  stop?: AbortSignal,
): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController()
  const end = () => controller.abort(stop?.reason)
  if (stop?.aborted) end()
  stop?.addEventListener('abort', end)
  let left = steps
  let timer = clock.setTimeout(step, delay / steps)
  function step() {
    left--
    if (left === 0) controller.abort(new Error('Timed out'))
    else timer = clock.setTimeout(step, delay / steps)
  }
  return {
    signal: controller.signal,
    clear() {
      clock.clearTimeout(timer)
      stop?.removeEventListener('abort', end)
    },
  }
}

/** Does `work` with the signal of a `deadline`, which is taken back when the work ends. */
export async function withDeadline<T>(
  clock: Clock,
  delay: number,
  work: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const { signal, clear } = deadline(clock, delay, stop)
  try {
    return await work(signal)
  } finally {
    clear()
  }
}
