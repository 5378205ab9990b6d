import { brotliCompressSync } from 'node:zlib'
import type { Transport } from '#contract/transport.ts'

/** Bytes that a browser adds to each request by itself: its name, languages, and where the page is from. */
const browserHeaders = 420
/** Bytes that our server and Node add to each response beside what the handler sets. */
const serverHeaders = 260
/** Answers to calls that read are compressed from this many characters on (R91). */
const compressedFrom = 1_000

export type Traffic = { up: number; down: number; requests: number; byPath: Map<string, number> }

/**
 * Counts what each request and response takes on the wire (HTTP/1.1), as the server over Node sends it: answers to
 * reads compressed, those to changes and the event stream as they are.
 */
export function countWire(transport: Transport): { transport: Transport; traffic: Traffic } {
  const traffic: Traffic = { up: 0, down: 0, requests: 0, byPath: new Map() }
  const count = (path: string, way: 'up' | 'down', bytes: number) => {
    traffic[way] += bytes
    traffic.byPath.set(path, (traffic.byPath.get(path) ?? 0) + bytes)
  }
  return {
    traffic,
    async transport(request) {
      const { pathname, search } = new URL(request.url)
      const path = pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
      const body = await request.clone().arrayBuffer()
      traffic.requests += 1
      const line = `${request.method} ${pathname}${search} HTTP/1.1\r\n`.length
      count(path, 'up', line + lengthOf(request.headers) + browserHeaders + body.byteLength)
      const response = await transport(request)
      count(path, 'down', lengthOf(response.headers) + serverHeaders)
      if (!response.body) return response
      const type = response.headers.get('content-type') ?? ''
      if (type.startsWith('text/event-stream')) return counted(response, path)
      const whole = new Uint8Array(await response.clone().arrayBuffer())
      const isCompressed = request.method === 'GET' && whole.length >= compressedFrom
      count(path, 'down', isCompressed ? brotliCompressSync(whole).length : whole.length)
      return response
    },
  }

  /** A stream's chunks, each with the six bytes of HTTP's chunked coding. */
  function counted(response: Response, path: string): Response {
    const meter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        count(path, 'down', chunk.length + 6)
        controller.enqueue(chunk)
      },
    })
    return new Response(response.body?.pipeThrough(meter), response)
  }
}

const lengthOf = (headers: Headers): number =>
  [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
