import type { Transport } from '#contract/transport.ts'
import { note } from '#sync/database/device/diagnostics.ts'

/** The network between this tab's device and the server. */
export type NetworkCondition = 'fine' | 'slow' | 'lossy' | 'off'

export type SimulatedNetwork = ReturnType<typeof simulateNetwork>

type Options = {
  random?: () => number
  pause?: (ms: number) => Promise<void>
}

/** Milliseconds that a slow network adds to a request: the least, and up to how many more. */
const delay = { least: 1_500, more: 2_500 }
/** The share of requests that a lossy network loses, and of responses after the server has acted. */
const lossRate = { requests: 0.3, responses: 0.3 }

/**
 * A transport to the demo's server that behaves as the network the visitor has chosen: it delays and
 * loses requests, loses responses after the server has acted, and breaks streams. It throws what
 * `fetch` throws when nobody answers.
 */
export function simulateNetwork(server: Transport, options: Options = {}) {
  const { random = Math.random, pause = realPause } = options
  let condition: NetworkCondition = 'fine'
  let bypasses = 0
  const resumeListeners = new Set<() => void>()
  const lossListeners = new Set<() => void>()
  const streams = breakableStreams()

  const isCut = () => condition === 'off' && bypasses === 0

  const transport: Transport = async (request) => {
    const current = bypasses > 0 ? 'fine' : condition
    if (current === 'off') throw unreachable()
    if (current === 'slow') await pause(delay.least + random() * delay.more)
    if (current === 'lossy' && random() < lossRate.requests) throw unreachable()
    request.signal.throwIfAborted()
    if (isCut()) throw unreachable()
    const response = await server(request)
    request.signal.throwIfAborted()
    if (isCut() || (current === 'lossy' && random() < lossRate.responses)) throw unreachable()
    return isStream(response) ? streams.wrap(response, request.signal) : response
  }

  return {
    transport,
    condition: () => condition,
    setCondition(next: NetworkCondition) {
      const before = condition
      condition = next
      if (next === 'off') streams.breakAll()
      if (next === 'off' && before !== 'off') for (const notify of lossListeners) notify()
      if (next !== 'off' && before === 'off') for (const notify of resumeListeners) notify()
    },
    /** Calls back when the network returns. Returns the function that ends the subscription. */
    onResume: (listener: () => void) => subscribe(resumeListeners, listener),
    /** Calls back when the network goes. Returns the function that ends the subscription. */
    onLost: (listener: () => void) => subscribe(lossListeners, listener),
    /** While `work` runs the network is fine: the demo itself needs the server, not the app. */
    async bypass<T>(work: () => Promise<T>): Promise<T> {
      bypasses += 1
      try {
        return await work()
      } finally {
        bypasses -= 1
      }
    },
  }
}

/** Streams that end with an error when the network goes or when their request is aborted. */
function breakableStreams() {
  const open = new Set<() => void>()
  function wrap(response: Response, signal: AbortSignal): Response {
    const reader = response.body?.getReader()
    let stop = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stop = () => {
          if (!open.delete(stop)) return
          controller.error(unreachable())
          reader?.cancel().catch((error) => note('demo stream did not close', { error }))
        }
        open.add(stop)
        signal.addEventListener('abort', stop)
      },
      async pull(controller) {
        const read = await reader?.read()
        if (!open.has(stop)) return
        if (read && !read.done) return controller.enqueue(read.value)
        open.delete(stop)
        controller.close()
      },
      async cancel() {
        open.delete(stop)
        await reader?.cancel()
      },
    })
    return new Response(body, { status: response.status, headers: response.headers })
  }
  return {
    wrap,
    breakAll() {
      for (const stop of [...open]) stop()
    },
  }
}

function subscribe(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const realPause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const unreachable = () => new TypeError('Failed to fetch')

const isStream = (response: Response) =>
  response.body !== null && response.headers.get('content-type')?.startsWith('text/event-stream')
