import { bodySize, type Transport } from '#contract/call.ts'

/** Bytes since somebody last took them. */
export type Meter = { up: number; down: number }

/** What a page does not see of each exchange: request line, status line, the browser's own headers. */
const unseen = 250

/**
 * A transport that counts what it carries: bodies as they travel where the answer says its length,
 * and headers as far as a page can see them. A stream counts its own. What is tried while the device
 * has no network at all leaves nothing and counts nothing.
 */
export function metered(
  transport: Transport,
  meter: Meter,
  isOffline: () => boolean = () => false,
): Transport {
  return async (request) => {
    if (isOffline()) return transport(request)
    meter.up += unseen + request.url.length + weightOf(request.headers) + bodySize(request)
    const response = await transport(request)
    meter.down += weightOf(response.headers)
    const length = response.headers.get('content-length')
    if (length !== null) meter.down += Number(length)
    else if (response.body && !response.bodyUsed && !isStream(response))
      void count(response.clone(), meter)
    return response
  }
}

const isStream = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('text/event-stream')

async function count(copy: Response, meter: Meter): Promise<void> {
  try {
    meter.down += (await copy.arrayBuffer()).byteLength
  } catch {
    // It broke off on its way: what came of it nobody can say.
  }
}

const weightOf = (headers: Headers): number => String([...headers]).length
