import { v7 } from 'uuid'
import type { Transport } from '#contract/transport.ts'
import { openSoma } from '#store/open.ts'
import type { Clock, Locks } from '#sync/platform/context.ts'
import type { Environment } from '#sync/platform/environment.ts'

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

type BatchOperation = { key: string; method: string; path: string; body?: unknown }

const singleCallOf = (request: Request, { key, method, path, body }: BatchOperation) =>
  new Request(request.url.replace(/\/batch$/, path), {
    method,
    headers: { 'idempotency-key': key },
    body: body === undefined ? undefined : JSON.stringify(body),
  })

const aboutOf = (request: Request): PassedRequest => ({
  method: request.method,
  path: new URL(request.url).pathname,
  query: new URL(request.url).searchParams,
  key: request.headers.get('idempotency-key'),
  token: request.headers.get('authorization'),
})

/** The line of an operation that never reaches the server; nothing for the others. */
async function replacedLine({
  operation: { key },
  condition,
}: {
  operation: BatchOperation
  condition: NetworkCondition
}): Promise<string> {
  if (typeof condition === 'string') return ''
  const { status, headers } = condition
  const after = headers.get('retry-after')
  const body: unknown = await condition.clone().json()
  const retryAfter = after === null ? undefined : Number(after)
  return `${JSON.stringify({ key, status, body, retryAfter })}\n`
}

type PassedRequest = {
  method: string
  path: string
  query: URLSearchParams
  key: string | null
  token: string | null
}

/** The network between phones and the server: it can be cut, and each request can have a condition of its own. */
export function createNetwork(transportToServer: Transport) {
  const passed: PassedRequest[] = []
  let underWay = 0
  let down = false
  let conditionOf: (request: Request, about: PassedRequest) => NetworkCondition = () => 'fine'

  let waits: (request: Request) => Promise<void> | undefined = () => undefined

  async function server(request: Request): Promise<Response> {
    underWay++
    try {
      return await transportToServer(request)
    } finally {
      underWay--
    }
  }

  const transport: Transport = async (request) => {
    const about = aboutOf(request)
    if (about.path.endsWith('/batch')) return batch(request, about)
    const condition = down ? 'request lost' : conditionOf(request, about)
    if (condition === 'request lost') throw new TypeError('Failed to fetch')
    if (typeof condition !== 'string') return condition.clone()
    await waits(request)
    passed.push(about)
    return answered(request, condition)
  }

  async function answered(
    request: Request,
    condition: Exclude<NetworkCondition, Response>,
  ): Promise<Response> {
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

  /**
   * A batch: each of its operations has the condition that its single call would have. A response takes
   * the place of the operation's line, and its operation does not reach the server; what else befalls one
   * befalls the whole request.
   */
  async function batch(request: Request, about: PassedRequest): Promise<Response> {
    const { operations } = (await request.clone().json()) as { operations: BatchOperation[] }
    const whole = down ? 'request lost' : conditionOf(request, about)
    if (whole === 'request lost') throw new TypeError('Failed to fetch')
    if (typeof whole !== 'string') return whole.clone()
    const each = operations.map((operation) => {
      const single = singleCallOf(request, operation)
      const call = { ...aboutOf(single), token: about.token }
      return { operation, call, condition: conditionOf(single, call) }
    })
    const conditions = each.map(({ condition }) => condition)
    if (conditions.includes('request lost')) throw new TypeError('Failed to fetch')
    await waits(request)
    const reaching = each.filter(({ condition }) => typeof condition === 'string')
    passed.push(...reaching.map(({ call }) => call))
    const lines = await Promise.all(each.map(replacedLine))
    const rest = new Request(request.url, {
      method: 'POST',
      headers: request.headers,
      body: JSON.stringify({ operations: reaching.map(({ operation }) => operation) }),
    })
    const befalls = conditions.find((one) => typeof one === 'string' && one !== 'fine')
    const response =
      reaching.length > 0
        ? await answered(rest, (befalls as Exclude<NetworkCondition, Response>) ?? 'fine')
        : undefined
    const text = `${lines.join('')}${(await response?.text()) ?? ''}`
    return new Response(text, {
      headers: response?.headers ?? { 'content-type': 'application/x-ndjson' },
    })
  }

  return {
    transport,
    /** Requests that reached the server, in order. */
    passed,
    /** How many of them the server has not answered yet. */
    underWay: () => underWay,
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
  /** The local storage of another tab. */
  storage?: Map<string, string>
  redraw?: Parameters<typeof openSoma>[0]['redraw']
  locks?: Locks
  clock?: Clock
  random?: () => number
  /** What the device says of its network; the truth when left out. */
  isOffline?: () => boolean
  pushSubscriber?: Environment['pushSubscriber']
  isOnMobileData?: () => boolean
}

/** One tab of one phone on the real store and engine; only network, clock and storage are replaced. */
export function createPhone(network: Network, options: Options = {}) {
  const onResumeListeners = new Set<() => void>()
  const onLostListeners = new Set<() => void>()
  const storage = options.storage ?? new Map<string, string>()
  const tab = openSoma({
    base: 'http://soma.test/api',
    dbName: options.dbName ?? `phone-${v7()}`,
    cachePrefix: options.cachePrefix,
    redraw: options.redraw,
    isOnMobileData: options.isOnMobileData,
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
      pushSubscriber: options.pushSubscriber,
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
    /** Fires what the browser fires when the network is back or the page is looked at again. */
    resume: () => {
      for (const work of onResumeListeners) work()
    },
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
