import type { Transport } from '#contract/transport.ts'
import { base, type ModelServer } from '../scenario/seed-data.ts'
import type { SimulatedTime } from './clock.ts'
import { createStreams, type StreamFate } from './streams.ts'

/** What can happen to one request. */
export const fates = [
  'request lost',
  'answer lost',
  'doubled',
  'doubled late',
  'slow there',
  'slow back',
  'torn',
  '500',
  '503 for a while',
  '429 for a while',
  '408',
  '401',
  'portal',
  'redirected',
  'server killed',
] as const
export type Fate = (typeof fates)[number]

/** Of the next so many requests of a phone. `only`: those that say something, those that ask, or any. */
export type NetworkFault = {
  fate: Fate
  times: number
  only: 'says' | 'asks' | 'any'
  /** Only what is sent under one key, the first it meets; it does not pass before that. */
  one?: true
}

/** Who sends a request: a tab or a worker. */
export type Client = { name: string; address: string; isDead(): boolean }

export type SentRequest = {
  method: string
  path: string
  key: string | undefined
  token: string | undefined
}

/** Told of every request that leaves and every answer that arrives. */
export type NetworkObserver = {
  leaves(trip: SentRequest): void
  answered(trip: SentRequest, status: number, body: string): void
  /** What the phone takes for an answer has reached it, whole and in time. */
  heard(trip: SentRequest, status: number): void
  /** However it went: this traveller waits for it no more. */
  over(trip: SentRequest): void
  /** A stream on which nothing is said is still listened to. */
  hangs(trip: SentRequest): void
}

const minute = 60_000
export const retryAfterSeconds = 120

/**
 * The network between one phone and the server. Messages arrive in random order. `news`: the server has
 * an event stream; without it every phone polls.
 */
export function createNetwork(time: SimulatedTime, server: ModelServer, eventStream: boolean) {
  const faults: (NetworkFault & { key?: string })[] = []
  let down = false
  /** All that is to count as an answer (S12). */
  const answers = new WeakSet<Response>()
  const lines = createStreams(time, () => down)

  function fateOf({ method, key }: SentRequest): Fate | undefined {
    if (down) return 'request lost'
    const says = method !== 'GET'
    const fault = faults.find(
      (each) =>
        (each.only === 'any' || (each.only === 'says') === says) &&
        (!each.one || (key !== undefined && (each.key ?? key) === key)),
    )
    if (!fault) return undefined
    if (fault.one) fault.key = key
    if (--fault.times <= 0) faults.splice(faults.indexOf(fault), 1)
    return fault.fate
  }

  function transportOf(who: Client, watch: NetworkObserver): Transport {
    return async (request) => {
      if (who.isDead()) return never()
      const trip = sentRequestOf(request)
      const wantsStream = trip.path === '/events'
      if (wantsStream && (!eventStream || lines.isMissing()))
        return json(501, { error: 'No stream', reason: 'unavailable' })
      const body = request.body ? await request.arrayBuffer() : undefined
      const again = () =>
        new Request(request.url, { method: request.method, headers: request.headers, body })
      watch.leaves(trip)
      const going = travel(who, trip, again, watch)
      let listens = false
      try {
        const response = await abortable(request.signal, going)
        if (who.isDead()) return never()
        if (answers.has(response)) watch.heard(trip, response.status)
        listens = isStream(response)
        return listens ? lines.carry(response, listener(request.signal)) : response
      } catch (error) {
        if (who.isDead()) await never()
        throw error
      } finally {
        if (!listens) {
          watch.over(trip)
          void going.then(hangUp, () => {})
        }
      }

      function listener(signal: AbortSignal) {
        const over = () => watch.over(trip)
        return { isDead: who.isDead, signal, over, hangs: () => watch.hangs(trip) }
      }
    }
  }

  async function travel(
    who: Client,
    trip: SentRequest,
    again: () => Request,
    watch: NetworkObserver,
  ) {
    const faults = fateOf(trip)
    // A request without a token is never answered with 401.
    const fate = faults === '401' && trip.token === undefined ? undefined : faults
    if (fate === 'slow there') await time.sleep(minute)
    await time.travel()
    if (fate === 'request lost') throw lost()
    const instead = fate && replacementAnswer(fate)
    if (instead) {
      if (instead.status === 401 || instead.headers.has('retry-after'))
        watch.answered(trip, instead.status, '')
      if (fate === '401') answers.add(instead)
      return instead
    }
    if (fate === 'server killed') server.crash(3)
    const age = server.age()
    if (fate === 'doubled') await server.answer(again(), who.address)
    if (fate === 'doubled late') void later(() => server.answer(again(), who.address))
    const response = await server.answer(again(), who.address)
    server.spare()
    const hears = response && isStream(response)
    const text = response && !hears ? await response.text() : ''
    if (response) watch.answered(trip, response.status, text)
    if (fate === 'slow back') await time.sleep(minute)
    await time.travel()
    if (!response || fate === 'answer lost' || server.age() !== age) {
      if (response) hangUp(response)
      throw lost()
    }
    if (hears) return response
    const said = whole(fate === 'torn' ? text.slice(0, text.length / 2) : text, response)
    if (fate !== 'torn' && !notNow(said.status)) answers.add(said)
    return said
  }

  async function later(work: () => Promise<unknown>) {
    await time.sleep(3 * minute)
    await time.travel()
    await work()
  }

  return {
    transportOf,
    cut: () => {
      down = true
    },
    mend: () => {
      down = false
    },
    /** Mended, and nothing more befalls anybody, but for what is wrong with one request. */
    clear: () => {
      down = false
      faults.splice(0, faults.length, ...faults.filter(({ one }) => one))
      lines.clear()
    },
    addFault: (fault: NetworkFault) => void faults.push({ ...fault }),
    addStreamFault: (fate: StreamFate) => lines.befall(fate),
  }
}
export type Network = ReturnType<typeof createNetwork>

/** What the server, or something before it, says when it has not looked at what was asked. */
const notNow = (status: number) => [408, 425, 429].includes(status) || status >= 500
const never = () => new Promise<never>(() => {})
const lost = () => new TypeError('Failed to fetch')

/** Nobody listens to what this answer might still say. */
const hangUp = (response: Response) => {
  if (isStream(response)) void response.body?.cancel().catch(() => {})
}

const isStream = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

function sentRequestOf(request: Request): SentRequest {
  return {
    method: request.method,
    path: new URL(request.url).pathname.slice(new URL(base).pathname.length),
    key: request.headers.get('idempotency-key') ?? undefined,
    token: request.headers.get('authorization')?.replace('Bearer ', ''),
  }
}

/** The caller stops waiting when it aborts; the message itself still travels. */
function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

function replacementAnswer(fate: Fate): Response | undefined {
  const portal = '<html><title>Hotel Wi-Fi</title>Please accept our terms.</html>'
  const patience = { 'retry-after': String(retryAfterSeconds) }
  switch (fate) {
    case '500':
      return json(500, { error: 'Oops', reason: 'internal' })
    case '503 for a while':
      return json(503, { error: 'Busy', reason: 'unavailable' }, patience)
    case '429 for a while':
      return json(429, { error: 'Slower', reason: 'too-many' }, patience)
    case '408':
      return json(408, { error: 'Too slow' })
    case '401':
      return json(401, { error: 'Please log in first.', reason: 'no-session' })
    case 'portal':
      return new Response(portal, { headers: sized(portal, { 'content-type': 'text/html' }) })
    case 'redirected':
      return Object.defineProperty(json(200, { ok: true }), 'redirected', { value: true })
    default:
      return undefined
  }
}

const sized = (text: string, headers: Record<string, string>) => ({
  ...headers,
  'content-length': String(text.length),
})

function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(body)
  return new Response(text, {
    status,
    headers: sized(text, { 'content-type': 'application/json', ...headers }),
  })
}

/** As it came from the server, its length said, as every server does. */
function whole(text: string, { status, headers }: Response): Response {
  const about = Object.fromEntries([...headers].filter(([name]) => name !== 'content-length'))
  return new Response(status === 304 ? null : text, { status, headers: sized(text, about) })
}
