import { v7 } from 'uuid'
import type { Transport } from '#contract/transport.ts'
import { openSoma } from '#sync/open.ts'
import type { Clock, Locks } from '#sync/platform/context.ts'

/** What the network does to one request. */
export type NetworkCondition =
  | 'fine'
  /** It never reaches the server. */
  | 'request lost'
  /** The server handles it; its response never arrives. */
  | 'answer lost'
  /** The server receives the same request twice. */
  | 'doubled'
  /** Half of the response's body arrives. */
  | 'answer torn'
  /** This response is returned, and the server is not reached. */
  | Response

type PassedRequest = { method: string; path: string; key: string | null; token: string | null }

/** The network between phones and the server: it can be cut, and each request can have a condition of its own. */
export function createNetwork(server: Transport) {
  const passed: PassedRequest[] = []
  let down = false
  let conditionOf: (request: Request, about: PassedRequest) => NetworkCondition = () => 'fine'

  let waits: (request: Request) => Promise<void> | undefined = () => undefined

  const transport: Transport = async (request) => {
    const about: PassedRequest = {
      method: request.method,
      path: new URL(request.url).pathname,
      key: request.headers.get('idempotency-key'),
      token: request.headers.get('authorization'),
    }
    const condition = down ? 'request lost' : conditionOf(request, about)
    if (condition === 'request lost') throw new TypeError('Failed to fetch')
    if (condition instanceof Response) return condition.clone()
    await waits(request)
    passed.push(about)
    if (condition === 'doubled') await (await server(request.clone())).arrayBuffer()
    const response = await server(request)
    if (condition === 'answer lost') {
      await response.arrayBuffer()
      throw new TypeError('Failed to fetch')
    }
    if (condition !== 'answer torn') return response
    const whole = await response.text()
    return new Response(whole.slice(0, whole.length / 2), response)
  }

  return {
    transport,
    /** Requests that reached the server, in order. */
    passed,
    cut: () => {
      down = true
    },
    isCut: () => down,
    restore: () => {
      down = false
      conditionOf = () => 'fine'
    },
    /** Delays each request until the promise that `next` returns for it resolves. */
    hold: (next: typeof waits) => {
      waits = next
    },
    /** Sets the function that decides the condition of each request. */
    setConditions: (next: typeof conditionOf) => {
      conditionOf = next
    },
  }
}
export type Network = ReturnType<typeof createNetwork>

/** An in-memory stand-in for the Web Locks of one phone, shared by its tabs. */
export function createLocks(): Locks {
  const held = new Set<string>()
  return {
    exclusive: true,
    run: async (name, work) => {
      if (held.has(name)) return false
      held.add(name)
      try {
        await work()
      } finally {
        held.delete(name)
      }
      return true
    },
  }
}

/** A clock that moves only by `pass` (milliseconds); its timers never fire. */
export function createClock(start = Date.now()): Clock & { pass: (ms: number) => void } {
  let time = start
  return {
    now: () => time,
    monotonic: () => time,
    setTimeout: () => 0,
    clearTimeout: () => {},
    pass: (ms) => {
      time += ms
    },
  }
}

type Options = {
  dbName?: string
  cachePrefix?: string
  redraw?: Parameters<typeof openSoma>[0]['redraw']
  locks?: Locks
  clock?: Clock
  random?: () => number
  /** What the device says of its network; the truth when left out. */
  isOffline?: () => boolean
}

/** One tab of one phone on the real store and engine; only network, clock and storage are replaced. */
export function createPhone(network: Network, options: Options = {}) {
  const onResumeListeners = new Set<() => void>()
  const onLostListeners = new Set<() => void>()
  const storage = new Map<string, string>()
  const tab = openSoma({
    base: 'http://soma.test/api',
    dbName: options.dbName ?? `phone-${v7()}`,
    cachePrefix: options.cachePrefix,
    redraw: options.redraw,
    transport: network.transport,
    locks: options.locks ?? createLocks(),
    clock: options.clock ?? createClock(),
    random: options.random ?? (() => 0.5),
    environment: {
      onResume: (work) => {
        onResumeListeners.add(work)
        return () => onResumeListeners.delete(work)
      },
      onLost: (work) => {
        onLostListeners.add(work)
        return () => onLostListeners.delete(work)
      },
      isVisible: () => true,
      isOffline: options.isOffline ?? network.isCut,
      saveData: () => false,
      wakeWorker: () => {},
    },
    storage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
      removeItem: (key) => void storage.delete(key),
    },
  })
  return {
    ...tab,
    storage,
    /** Fires the device's `offline` event. */
    lose: () => {
      for (const work of onLostListeners) work()
    },
    /** Runs the engine until nothing that may be sent is left and everything due is pulled; throws its last error. */
    settle: async () => {
      for (let round = 0; round < 20; round++) {
        await tab.engine.wake()
        const states = ['waiting', 'sending', 'retrying']
        const left = await tab.db.outbox.where('state').anyOf(states).count()
        if (left === 0) break
      }
      await tab.engine.wake()
      const fault = tab.engine.lastFault()
      if (fault) throw fault
    },
    /** Stops the engine and closes the database, as when a tab is killed. */
    kill: async () => {
      await tab.engine.stop()
      tab.db.close()
    },
  }
}
export type Phone = ReturnType<typeof createPhone>
