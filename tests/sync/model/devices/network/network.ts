import type { Transport } from '#contract/transport.ts'
import type { ModelServer } from '../../scenario/seed-data.ts'
import type { SimulatedTime } from '../clock.ts'
import { isNotFinal, json, replacementAnswer, whole } from './answers.ts'
import { carryLines, linesOf } from './batch-stream.ts'
import { createFaults, type Fate } from './faults.ts'
import { asNewerServer } from './newer-server.ts'
import { operationsOf, type SentRequest, sentRequestOf } from './sent-request.ts'
import { createStreams, type StreamFate } from './streams.ts'

/** Who sends a request: a tab or a worker. */
export type Client = {
  name: string
  address: string
  isDead(): boolean
  isFrozen(): boolean
  /** Resolves at once, or when a frozen page runs again. */
  thawed(): Promise<void>
}

/** Told of every request that leaves and every answer that arrives; of a batch's operations one by one. */
export type NetworkObserver = {
  /** `batch`: the keys before this one in the same batch. */
  leaves(trip: SentRequest, batch: readonly string[]): void
  /** `wait`: the seconds of `Retry-After`. */
  answered(trip: SentRequest, status: number, body: string, wait?: number): void
  /** What the phone takes for an answer has reached it, whole and in time. */
  heard(trip: SentRequest, status: number): void
  /** However it went: this traveller waits for it no more. */
  over(trip: SentRequest): void
  /** A stream on which nothing is said is still listened to. */
  hangs(trip: SentRequest): void
  /** Bytes of a body, in either direction. */
  carried(trip: SentRequest, bytes: number): void
}

/** One request on its way: with those that a batch is made of, or itself alone. */
type Journey = {
  trip: SentRequest
  operations: SentRequest[]
  again: () => Request
  who: Client
  watch: NetworkObserver
  signal: AbortSignal
}

const minute = 60_000
/** The status of an operation that was not tried because its parent was refused or failed. */
const skipped = 424

/**
 * The network between one phone and the server. Messages arrive in random order. `eventStream`: the
 * server has one; without it every phone polls.
 */
export function createNetwork(time: SimulatedTime, server: ModelServer, eventStream: boolean) {
  const faults = createFaults(time)
  let down = false
  /** All that is to count as an answer (S12). */
  const answers = new WeakSet<Response>()
  /** Answers whose lines go on arriving after their head. */
  const streams = new WeakSet<Response>()
  const lines = createStreams(time, () => down)

  function transportOf(who: Client, watch: NetworkObserver): Transport {
    return async (request) => {
      if (who.isDead()) return never()
      const trip = sentRequestOf(request)
      const wantsStream = trip.path === '/events'
      if (wantsStream && (!eventStream || lines.isMissing()))
        return json(501, { error: 'No stream', reason: 'unavailable' })
      const { method, headers, signal } = request
      const body = request.body ? await request.arrayBuffer() : undefined
      const again = () => new Request(request.url, { method, headers, body })
      const operations = operationsOf(trip, body)
      const journey = { trip, operations, again, who, watch, signal }
      tellLeaves(journey)
      watch.carried(trip, body?.byteLength ?? 0)
      const going = travel(journey)
      let listens = false
      try {
        const response = await abortable(signal, going)
        await who.thawed()
        if (who.isDead()) return never()
        if (answers.has(response)) watch.heard(trip, response.status)
        listens = streams.has(response) || isStream(response)
        return isStream(response) ? lines.carry(response, listenerOf(journey)) : response
      } catch (error) {
        await who.thawed()
        if (who.isDead()) await never()
        throw error
      } finally {
        if (!listens) {
          for (const each of partsOf(journey)) watch.over(each)
          void going.then(hangUp, () => {})
        }
      }
    }
  }

  async function travel(journey: Journey): Promise<Response> {
    const { trip, who, watch, again } = journey
    const drawn = down ? 'request lost' : faults.fateOf(trip)
    // A request without a token is never answered with 401.
    const fate = drawn === '401' && trip.token === undefined ? undefined : drawn
    if (fate === 'slow there') await time.sleep(minute)
    await time.travel()
    if (fate === 'request lost') throw lost()
    const instead = fate && replacementAnswer(fate)
    if (instead) return replaced(journey, fate, instead)
    if (fate === 'server killed') server.crash(3)
    const age = server.age()
    if (fate === 'doubled') await server.answer(again(), who.address)
    if (fate === 'doubled late') void later(() => server.answer(again(), who.address))
    const response = await server.answer(again(), who.address)
    server.spare()
    const hears = response && isStream(response)
    const text = response && !hears ? asNewerServer(fate, await response.text()) : ''
    if (response) tellAnswers(journey, response, text)
    if (fate === 'slow back' && journey.operations.length === 0) await time.sleep(minute)
    await time.travel()
    if (!response || fate === 'answer lost' || server.age() !== age) {
      if (response) hangUp(response)
      throw lost()
    }
    if (hears) return response
    watch.carried(trip, text.length)
    if (linesOf(text, response).length > 0) return inLines(journey, response, text, fate)
    const said = whole(fate === 'torn' ? text.slice(0, text.length / 2) : text, response)
    if (fate !== 'torn' && !isNotFinal(said.status)) answers.add(said)
    return said
  }

  /** Something answered that was not the server, or the server without looking at what was asked. */
  function replaced(journey: Journey, fate: Fate, instead: Response): Response {
    const wait = Number(instead.headers.get('retry-after') ?? 0)
    const isServers = !fate.startsWith('gateway') && (wait > 0 || instead.status >= 500)
    if (fate === '401' || isServers)
      for (const each of partsOf(journey)) journey.watch.answered(each, instead.status, '', wait)
    if (fate === '401') {
      answers.add(instead)
      for (const each of journey.operations) journey.watch.heard(each, instead.status)
    }
    return instead
  }

  function inLines(journey: Journey, response: Response, text: string, fate: Fate | undefined) {
    const { operations, watch, who, signal } = journey
    const carried = carryLines(time, response, linesOf(text, response), fate, {
      signal,
      isDead: who.isDead,
      thawed: who.thawed,
      heard: ({ key, status }) => {
        const operation = operations.find((each) => each.key === key)
        if (operation && !isNotFinal(status) && status !== skipped) watch.heard(operation, status)
      },
      over: () => {
        for (const each of partsOf(journey)) watch.over(each)
      },
    })
    streams.add(carried)
    return carried
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
      faults.clear()
      lines.clear()
    },
    /** Nor is anything wrong with one request any more. */
    clearAll: faults.clearAll,
    addFault: faults.add,
    addStreamFault: (fate: StreamFate) => lines.befall(fate),
  }
}
export type Network = ReturnType<typeof createNetwork>

const never = () => new Promise<never>(() => {})
const lost = () => new TypeError('Failed to fetch')

/** A batch is watched as the requests it stands for, and as one that has no key of its own. */
const partsOf = ({ trip, operations }: Journey): SentRequest[] => [trip, ...operations]

function tellLeaves({ trip, operations, watch }: Journey) {
  watch.leaves(trip, [])
  const keys = operations.map(({ key = '' }) => key)
  for (const [at, each] of operations.entries()) watch.leaves(each, keys.slice(0, at))
}

function tellAnswers({ trip, operations, watch }: Journey, response: Response, text: string) {
  watch.answered(trip, response.status, text, Number(response.headers.get('retry-after') ?? 0))
  for (const { key, status, text: line } of linesOf(text, response)) {
    const operation = operations.find((each) => each.key === key)
    const { body } = JSON.parse(line) as { body?: unknown }
    if (operation) watch.answered(operation, status, JSON.stringify(body ?? null))
  }
}

function listenerOf({ who, trip, watch, signal }: Journey) {
  const { isDead, isFrozen, thawed } = who
  const over = () => watch.over(trip)
  return { isDead, isFrozen, thawed, signal, over, hangs: () => watch.hangs(trip) }
}

/** Nobody listens to what this answer might still say. */
const hangUp = (response: Response) => {
  if (isStream(response)) void response.body?.cancel().catch(() => {})
}

const isStream = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

/** The caller stops waiting when it aborts; the message itself still travels. */
function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
