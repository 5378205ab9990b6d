import { v7 } from 'uuid'
import type { Transport } from '#contract/transport.ts'
import { openSoma } from '#sync/open.ts'
import type { Clock, Locks } from '#sync/platform/context.ts'

/** What befalls one request on its way. */
export type NetworkCondition =
  | 'fine'
  /** It never reaches the server. */
  | 'request lost'
  /** The server does it; the answer never comes back. */
  | 'answer lost'
  /** The server is reached twice, by the same request. */
  | 'doubled'
  /** Half an answer comes back. */
  | 'answer torn'
  /** Something else answers in the server's place. */
  | Response

type Passed = { method: string; path: string; key: string | null; token: string | null }

/** The road between phones and the server: can be cut, and each request can meet its own weather. */
export function createNetwork(server: Transport) {
  const passed: Passed[] = []
  let down = false
  let weather: (request: Request, about: Passed) => NetworkCondition = () => 'fine'

  let waits: (request: Request) => Promise<void> | undefined = () => undefined

  const transport: Transport = async (request) => {
    const about: Passed = {
      method: request.method,
      path: new URL(request.url).pathname,
      key: request.headers.get('idempotency-key'),
      token: request.headers.get('authorization'),
    }
    const met = down ? 'request lost' : weather(request, about)
    if (met === 'request lost') throw new TypeError('Failed to fetch')
    if (met instanceof Response) return met.clone()
    await waits(request)
    passed.push(about)
    if (met === 'doubled') await (await server(request.clone())).arrayBuffer()
    const response = await server(request)
    if (met === 'answer lost') {
      await response.arrayBuffer()
      throw new TypeError('Failed to fetch')
    }
    if (met !== 'answer torn') return response
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
    heal: () => {
      down = false
      weather = () => 'fine'
    },
    /** Requests stay on the road as long as what this gives for them. */
    hold: (next: typeof waits) => {
      waits = next
    },
    /** Decides for each request what befalls it. */
    meet: (next: typeof weather) => {
      weather = next
    },
  }
}
export type Network = ReturnType<typeof createNetwork>

/** A lock as browsers keep it, shared by the tabs of one phone. */
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

/** A clock that moves only when told: timers never fire by themselves, `turn` is called instead. */
export function createClock(start = Date.now()): Clock & { pass: (ms: number) => void } {
  let time = start
  return {
    now: () => time,
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
}

/** One tab of one phone, on the real store and the real engine; only network and clock are stood in for. */
export function createPhone(network: Network, options: Options = {}) {
  const backs = new Set<() => void>()
  const losts = new Set<() => void>()
  const storage = new Map<string, string>()
  const phone = openSoma({
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
        backs.add(work)
        return () => backs.delete(work)
      },
      onLost: (work) => {
        losts.add(work)
        return () => losts.delete(work)
      },
      isVisible: () => true,
      isOffline: network.isCut,
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
    ...phone,
    storage,
    /** The device says that the network is gone. */
    lose: () => {
      for (const work of losts) work()
    },
    /** Until nothing that may be sent is left and everything due is pulled. */
    settle: async () => {
      for (let round = 0; round < 20; round++) {
        await phone.engine.wake()
        const states = ['waiting', 'sending', 'retrying']
        const left = await phone.db.outbox.where('state').anyOf(states).count()
        if (left === 0) break
      }
      await phone.engine.wake()
      const fault = phone.engine.lastFault()
      if (fault) throw fault
    },
    /** What happens when a tab is killed: nothing more runs, nothing is said. */
    kill: async () => {
      await phone.engine.stop()
      phone.db.close()
    },
  }
}
export type Phone = ReturnType<typeof createPhone>
