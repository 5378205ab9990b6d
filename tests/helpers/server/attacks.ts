import { readFileSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { AppServer } from './app-server.ts'

/** The resident memory of the server's Node process in megabytes; 0 where there is no /proc. */
function residentMegabytes({ pid }: AppServer): number {
  try {
    const status = readFileSync(`/proc/${pid()}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

export type HealthMeasurement = {
  /** The slowest response of /healthz, in milliseconds. */
  slowest: number
  /** How many requests failed. */
  failures: number
  /** The most resident memory, in megabytes. */
  peak: number
}

/** Requests /healthz every 20 ms while an attack runs. */
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

/** Opens a connection that requests a path several times and reads nothing of the responses. */
export function openStalledReader({ port }: AppServer, path: string, times = 4): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: soma.test\r\n\r\n`.repeat(times))
  return socket
}

/** Starts an upload that sends one byte each half second until the server or `end` stops it. */
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
  /** The local address to connect from. */
  from?: string
}
export type RawResponse = { status: number; headers: IncomingMessage['headers']; text: string }

/** One request by Node's HTTP client, which can connect from another local address than `fetch` does. */
export function ask(
  url: string,
  { method = 'GET', headers, body, from }: RawRequest = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    // The tests use self-signed certificates.
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

/** An upload form as method, headers and body, for `ask`. */
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
