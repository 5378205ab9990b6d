import type { Transport } from '#contract/call.ts'

/** What lies between this tab's phone and the server. */
export type NetworkCondition = 'fine' | 'slow' | 'lossy' | 'off'

export type SimulatedNetwork = ReturnType<typeof simulateNetwork>

type Options = {
  random?: () => number
  pause?: (ms: number) => Promise<void>
}

/** Milliseconds that a slow network takes for one request: from, and up to so much more. */
const slow = { least: 1_500, more: 2_500 }
/** Of a lossy network's requests, and of its answers after the server has acted. */
const lost = { requests: 0.3, answers: 0.3 }

/**
 * The road between the demo's phones and its server, with the weather the visitor chooses. It does
 * to a request what a bad network does, lost answers and broken streams included.
 */
export function simulateNetwork(server: Transport, options: Options = {}) {
  const { random = Math.random, pause = realPause } = options
  let sky: NetworkCondition = 'fine'
  let calm = 0
  const backs = new Set<() => void>()
  const losses = new Set<() => void>()
  const streams = new Set<() => void>()

  const transport: Transport = async (request) => {
    const met = calm > 0 ? 'fine' : sky
    if (met === 'off') throw gone()
    if (met === 'slow') await pause(slow.least + random() * slow.more)
    if (met === 'lossy' && random() < lost.requests) throw gone()
    request.signal.throwIfAborted()
    if (isCut()) throw gone()
    const response = await server(request)
    request.signal.throwIfAborted()
    if (isCut() || (met === 'lossy' && random() < lost.answers)) throw gone()
    return isStream(response) ? breakable(response, request.signal) : response
  }

  const isCut = () => sky === 'off' && calm === 0

  /** A stream breaks when the network goes, or when whoever reads it lets go. */
  function breakable(response: Response, signal: AbortSignal): Response {
    const reader = response.body?.getReader()
    let stop = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stop = () => {
          if (!streams.delete(stop)) return
          controller.error(gone())
          void reader?.cancel().catch(() => {})
        }
        streams.add(stop)
        signal.addEventListener('abort', stop)
      },
      async pull(controller) {
        const read = await reader?.read()
        if (!streams.has(stop)) return
        if (read && !read.done) return controller.enqueue(read.value)
        streams.delete(stop)
        controller.close()
      },
      async cancel() {
        streams.delete(stop)
        await reader?.cancel()
      },
    })
    return new Response(body, { status: response.status, headers: response.headers })
  }

  return {
    transport,
    sky: () => sky,
    setCondition(next: NetworkCondition) {
      const was = sky
      sky = next
      if (next === 'off') for (const stop of [...streams]) stop()
      if (next === 'off' && was !== 'off') for (const lost of losses) lost()
      if (next !== 'off' && was === 'off') for (const back of backs) back()
    },
    /** Calls back when there is a network again. */
    onResume: (work: () => void) => heard(backs, work),
    /** Calls back when there is none any more. */
    onLost: (work: () => void) => heard(losses, work),
    /** While this work runs the weather is fine: it is the stage's, not the play's. */
    async bypass<T>(work: () => Promise<T>): Promise<T> {
      calm += 1
      try {
        return await work()
      } finally {
        calm -= 1
      }
    },
  }
}

function heard(by: Set<() => void>, work: () => void): () => void {
  by.add(work)
  return () => by.delete(work)
}

const realPause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** What `fetch` throws when nobody answers. */
const gone = () => new TypeError('Failed to fetch')

const isStream = (response: Response) =>
  response.body !== null && response.headers.get('content-type')?.startsWith('text/event-stream')
