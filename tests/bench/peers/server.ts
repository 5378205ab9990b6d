import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { answersTo } from './answers.ts'
import { type Effects, Ledger } from './effects.ts'

/** The network condition, the same for every side; `loseEvery` and `refuseEvery` count the requests that change something. */
type NetworkCondition = {
  /** Milliseconds from a request to its answer, at least. */
  roundTrip?: number
  /** Every n-th response breaks off in the middle, after its effect. */
  loseEvery?: number
  /** Every n-th request gets 503, without an effect. */
  refuseEvery?: number
}

export type PeersServer = {
  origin: string
  /** Clears all state; then there are `rows` rows to pull, under this network condition. */
  reset: (state: { rows?: number; network?: NetworkCondition }) => void
  effects: (expected: number) => Effects
  /** What `GET <path>` answers with, beside the API: pages and their scripts. */
  files: Map<string, { type: string; body: string | Buffer }>
  /** Paths asked for, in order. */
  asked: string[]
  /** How many requests that change something, or upload, have followed one another since the last reset. */
  roundTrips: () => number
  close: () => Promise<void>
}

/**
 * An in-memory server on loopback with our contract and the few endpoints a peer needs beside it; the
 * same for every side, and it counts effects.
 */
export async function startPeersServer(): Promise<PeersServer> {
  let network: NetworkCondition = {}
  let changes = 0
  let operationsSeen = 0
  let ledger = new Ledger()
  let answers = answersTo(ledger, 0)
  const files: PeersServer['files'] = new Map([
    ['/', { type: 'text/html', body: '<!doctype html><title>Bench</title>' }],
  ])
  const asked: string[] = []
  let trips: { from: number; to: number; depth: number }[] = []

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    asked.push(url.pathname)
    const file = files.get(url.pathname)
    if (file) return void send(response, 200, { 'content-type': file.type }, file.body)
    const body = await read(request)
    const { roundTrip = 0, loseEvery, refuseEvery } = network
    if (request.method !== 'GET') noteTrip(response)
    if (roundTrip > 0) await pause(roundTrip)
    if (url.pathname === '/api/batch') return answerBatch(request, response, body)
    const turn = request.method === 'GET' ? 0 : ++changes
    if (request.method !== 'GET') operationsSeen++
    if (refuseEvery && turn % refuseEvery === refuseEvery >> 1)
      return void send(response, 503, json, JSON.stringify(busy.value))
    const { status, headers, value } = answers(request, url, body)
    const text = value === undefined ? undefined : JSON.stringify(value)
    const tag = request.method === 'GET' && api(url) && text ? `"${digest(text)}"` : undefined
    if (tag && request.headers['if-none-match'] === tag)
      return void send(response, 304, { etag: tag }, undefined)
    const lost = loseEvery && turn % loseEvery === loseEvery >> 1
    if (lost && text) return breakOff(response, status, text)
    send(response, status, { ...json, ...headers, ...(tag ? { etag: tag } : {}) }, text)
  })
  /** One that began after the answer of another had left follows it. */
  function noteTrip(response: ServerResponse) {
    const from = performance.now()
    const before = trips.filter(({ to }) => to < from).map(({ depth }) => depth)
    const trip = { from, to: Number.POSITIVE_INFINITY, depth: Math.max(0, ...before) + 1 }
    trips.push(trip)
    response.once('finish', () => {
      trip.to = performance.now()
    })
  }

  /**
   * A batch under the same network condition: each of its operations may be refused, and its response may
   * break off in the middle of its lines, after the effects of all.
   */
  function answerBatch(request: IncomingMessage, response: ServerResponse, body: string) {
    const { loseEvery, refuseEvery } = network
    const { operations } = JSON.parse(body) as { operations: BatchOperation[] }
    const turn = ++changes
    const isLost = Boolean(loseEvery && turn % loseEvery === loseEvery >> 1)
    let isBroken = false
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    for (const [at, operation] of operations.entries()) {
      const isRefused = refuseEvery && ++operationsSeen % refuseEvery === refuseEvery >> 1
      const { status, value } = isRefused ? busy : answerOne(request, operation)
      const line = `${JSON.stringify({ key: operation.key, status, body: value })}\n`
      if (isBroken) continue
      isBroken = isLost && at === operations.length >> 1
      response.write(isBroken ? line.slice(0, line.length >> 1) : line, () => {
        if (isBroken) response.destroy()
      })
    }
    if (!isBroken) response.end()
  }

  const answerOne = (
    { headers }: IncomingMessage,
    { key, method, path, body }: BatchOperation,
  ): { status: number; value?: unknown } =>
    answers(
      { method, headers: { ...headers, 'idempotency-key': key } },
      new URL(`/api${path}`, 'http://localhost'),
      JSON.stringify(body),
    )

  // Connections stay open during a whole benchmark, as in a browser.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')

  return {
    origin: `http://127.0.0.1:${address.port}`,
    files,
    asked,
    roundTrips: () => Math.max(0, ...trips.map(({ depth }) => depth)),
    reset({ rows = 0, network: next = {} }) {
      network = next
      changes = 0
      trips = []
      ledger = new Ledger()
      answers = answersTo(ledger, rows)
    },
    effects: (expected) => ledger.sum(expected),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type BatchOperation = { key: string; method: string; path: string; body?: unknown }

const busy = { status: 503, value: { error: 'Busy', reason: 'unavailable' } }

/** Every list and row of ours has an ETag. */
const api = ({ pathname }: URL) => pathname.startsWith('/api/')
const digest = (text: string) => createHash('sha1').update(text).digest('base64url')

const json = { 'content-type': 'application/json' }

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string | Buffer | undefined,
): void {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  response.writeHead(status, { ...headers, ...length })
  response.end(body)
}

/** The head and half of the body: a browser repeats a request by itself when it has seen neither. */
function breakOff(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...json, 'content-length': String(Buffer.byteLength(text)) })
  response.write(text.slice(0, text.length >> 1), () => response.destroy())
}
