import { byteCount, type Transport } from '#contract/transport.ts'
import type { MonotonicTime } from '../time.ts'

/** Bytes over the network since they were last taken. */
export type TrafficMeter = {
  add: (bytes: { up?: number; down?: number }) => void
  /** What was counted since the last call. */
  take: () => { up: number; down: number }
  /** When a file that goes up was last seen to move. */
  movedAt?: MonotonicTime
}

/** Counts bytes until they are taken. */
export function createTrafficMeter(): TrafficMeter {
  let counted = { up: 0, down: 0 }
  return {
    add: ({ up = 0, down = 0 }) => {
      counted.up += up
      counted.down += down
    },
    take: () => {
      const taken = counted
      counted = { up: 0, down: 0 }
      return taken
    },
  }
}

/** What a page does not see of each exchange: request line, status line, the browser's own headers. Bytes. */
const unseen = 250

/**
 * A transport that counts what it carries: bodies as they travel where the response has a `Content-Length`,
 * and headers as far as a page can see them (S25). A stream counts its own. What is tried while the
 * device has no network at all leaves nothing and counts nothing.
 */
export function countTraffic(
  transport: Transport,
  meter: TrafficMeter,
  isOffline: () => boolean = () => false,
): Transport {
  return async (request) => {
    if (isOffline()) return transport(request)
    meter.add({
      up: unseen + request.url.length + lengthOf(request.headers) + byteCount(request),
    })
    const response = await transport(request)
    meter.add({ down: lengthOf(response.headers) })
    const length = response.headers.get('content-length')
    if (length !== null) meter.add({ down: Number(length) })
    else if (response.body && !response.bodyUsed && !isStream(response))
      void countBody(response.clone(), meter)
    return response
  }
}

const isStream = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('text/event-stream')

async function countBody(copy: Response, meter: TrafficMeter): Promise<void> {
  try {
    meter.add({ down: (await copy.arrayBuffer()).byteLength })
  } catch {
    // It broke off on its way: what came of it nobody can say.
  }
}

const lengthOf = (headers: Headers): number => String([...headers]).length
