import { readFileSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { AppServer } from './app-server.ts'

/** Megabytes of memory the server's Node process holds now. Linux alone tells. */
function residentMegabytes({ pid }: AppServer): number {
  try {
    const status = readFileSync(`/proc/${pid()}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

export type HealthMeasurement = {
  /** Milliseconds of the slowest answer of /healthz. */
  slowest: number
  /** Those that failed. */
  failures: number
  /** Megabytes. */
  peak: number
}

/** Asks /healthz again and again while an attack goes on. */
export async function measureHealthDuring(
  server: AppServer,
  attack: () => Promise<void>,
): Promise<HealthMeasurement> {
  const seen: HealthMeasurement = { slowest: 0, failures: 0, peak: 0 }
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now()
      const isOk = await fetch(`${server.origin}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (!isOk) seen.failures++
      seen.slowest = Math.max(seen.slowest, performance.now() - began)
      seen.peak = Math.max(seen.peak, residentMegabytes(server))
      await pause(20)
    }
  })()
  try {
    await attack()
  } finally {
    isOver = true
    await watching
  }
  return seen
}

/** A connection that asks for a path several times over and takes nothing of the answers. */
export function openStalledReader({ port }: AppServer, path: string, times = 4): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: soma.test\r\n\r\n`.repeat(times))
  return socket
}

/** An upload that sends a byte each half second, for as long as it is let. */
export function startSlowUpload({ origin }: AppServer): { end(): void } {
  const sending = request(`${origin}/api/images/upload`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
  sending.on('error', () => undefined)
  sending.on('response', (answer) => answer.resume())
  sending.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')
  const timer = setInterval(() => sending.write('a'), 500)
  return {
    end() {
      clearInterval(timer)
      sending.destroy()
    },
  }
}

export type RawRequest = {
  method?: string
  headers?: Record<string, string | string[]>
  body?: Uint8Array | string
  /** The address of this machine it comes from. */
  from?: string
}
export type RawResponse = { status: number; headers: IncomingMessage['headers']; text: string }

/** One request by Node's own client, which can come from another address of this machine. */
export function ask(
  url: string,
  { method = 'GET', headers, body, from }: RawRequest = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    // Certificates are made in the tests themselves.
    const about = {
      method,
      headers,
      localAddress: from,
      agent: false as const,
      rejectUnauthorized: false,
    }
    const begin = url.startsWith('https:') ? secureRequest : request
    const sending: ClientRequest = begin(url, about, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
      answer.on('error', reject)
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

/** A photo's form as bytes, for `ask`. */
export async function formBytes(
  form: FormData,
): Promise<Pick<RawRequest, 'headers' | 'body' | 'method'>> {
  const request = new Request('http://soma.test', { method: 'POST', body: form })
  return {
    method: 'POST',
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
    body: new Uint8Array(await request.arrayBuffer()),
  }
}
