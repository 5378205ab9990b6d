import type { Transport } from '#contract/transport.ts'
import { base, type Home } from '../scenario/seed-data.ts'
import type { Time } from './clock.ts'
import { createLines, type StreamFate } from './streams.ts'

/** What befalls one request on its way. */
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
export type Weather = {
  fate: Fate
  times: number
  only: 'says' | 'asks' | 'any'
  /** Only what is sent under one key, the first it meets; it does not pass before that. */
  one?: true
}

/** Who is on the road: a tab or a worker. */
export type Traveller = { name: string; address: string; isDead(): boolean }

export type Trip = {
  method: string
  path: string
  key: string | undefined
  token: string | undefined
}

/** The rest of the world hears what leaves and what comes back. */
export type Watch = {
  leaves(trip: Trip): void
  answered(trip: Trip, status: number, body: string): void
  /** What the phone takes for an answer has reached it, whole and in time. */
  heard(trip: Trip, status: number): void
  /** However it went: this traveller waits for it no more. */
  over(trip: Trip): void
  /** A stream on which nothing is said is still listened to. */
  hangs(trip: Trip): void
}

const minute = 60_000
export const patienceAsked = 120

/**
 * A road between one phone and the server. What is on it arrives in no certain order. `news`: there is
 * a stream of pushed news; without it every phone asks at its pace.
 */
export function createRoad(time: Time, home: Home, news: boolean) {
  const met: (Weather & { key?: string })[] = []
  let down = false
  /** All that is to count as an answer (S12). */
  const answers = new WeakSet<Response>()
  const lines = createLines(time, () => down)

  function fateOf({ method, key }: Trip): Fate | undefined {
    if (down) return 'request lost'
    const says = method !== 'GET'
    const weather = met.find(
      (each) =>
        (each.only === 'any' || (each.only === 'says') === says) &&
        (!each.one || (key !== undefined && (each.key ?? key) === key)),
    )
    if (!weather) return undefined
    if (weather.one) weather.key = key
    if (--weather.times <= 0) met.splice(met.indexOf(weather), 1)
    return weather.fate
  }

  function transportOf(who: Traveller, watch: Watch): Transport {
    return async (request) => {
      if (who.isDead()) return never()
      const trip = tripOf(request)
      const wantsStream = trip.path === '/events'
      if (wantsStream && (!news || lines.isMissing()))
        return json(501, { error: 'No stream', reason: 'unavailable' })
      const body = request.body ? await request.arrayBuffer() : undefined
      const again = () =>
        new Request(request.url, { method: request.method, headers: request.headers, body })
      watch.leaves(trip)
      const going = travel(who, trip, again, watch)
      let listens = false
      try {
        const response = await givenUp(request.signal, going)
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

  async function travel(who: Traveller, trip: Trip, again: () => Request, watch: Watch) {
    const met = fateOf(trip)
    // Whoever needs no token is never told that it is dead.
    const fate = met === '401' && trip.token === undefined ? undefined : met
    if (fate === 'slow there') await time.sleep(minute)
    await time.travel()
    if (fate === 'request lost') throw lost()
    const instead = fate && answerInstead(fate)
    if (instead) {
      if (instead.status === 401 || instead.headers.has('retry-after'))
        watch.answered(trip, instead.status, '')
      if (fate === '401') answers.add(instead)
      return instead
    }
    if (fate === 'server killed') home.crash(3)
    const age = home.age()
    if (fate === 'doubled') await home.answer(again(), who.address)
    if (fate === 'doubled late') void later(() => home.answer(again(), who.address))
    const response = await home.answer(again(), who.address)
    home.spare()
    const hears = response && isStream(response)
    const text = response && !hears ? await response.text() : ''
    if (response) watch.answered(trip, response.status, text)
    if (fate === 'slow back') await time.sleep(minute)
    await time.travel()
    if (!response || fate === 'answer lost' || home.age() !== age) {
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
      met.splice(0, met.length, ...met.filter(({ one }) => one))
      lines.clear()
    },
    meet: (weather: Weather) => void met.push({ ...weather }),
    befallStream: (fate: StreamFate) => lines.befall(fate),
  }
}
export type Road = ReturnType<typeof createRoad>

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

function tripOf(request: Request): Trip {
  return {
    method: request.method,
    path: new URL(request.url).pathname.slice(new URL(base).pathname.length),
    key: request.headers.get('idempotency-key') ?? undefined,
    token: request.headers.get('authorization')?.replace('Bearer ', ''),
  }
}

/** The one who asks stops waiting when it gives up; what is on the road goes on. */
function givenUp<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

function answerInstead(fate: Fate): Response | undefined {
  const portal = '<html><title>Hotel Wi-Fi</title>Please accept our terms.</html>'
  const patience = { 'retry-after': String(patienceAsked) }
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
