import type { Hono } from 'hono'
import { buildNumber, serverVersionHeader } from '#contract/version.ts'
import type { Actor } from '#domain/deliveries/delivery.ts'
import { authenticate, authenticateAll, authorize } from '../http/authenticate.ts'
import { type Env, requestLog } from '../http/request-log.ts'
import { errorResponse } from '../http/responses.ts'
import type { ChangeEvent, Receiver } from '../ports/change-events.ts'
import { requireActor } from '../ports/handler.ts'
import { readRoutes, readWays, type StreamRoutes } from '../ports/job-routes.ts'
import type { Ports } from '../ports/ports.ts'
import { maxUnreadBytes, openStream, type Subscriber } from './event-stream.ts'
import { knownRoads } from './known-roads.ts'
import {
  bytesFor,
  heartbeatBytes,
  messageBytes,
  type RecentEvent,
  type RecentEvents,
  recentEvents,
} from './recent-events.ts'

/** Milliseconds. Mobile networks drop a connection that was silent for a minute. */
const heartbeatInterval = 25_000
/** Streams of one person. More tabs and phones than that are a mistake: the oldest stream ends. */
const maxStreamsPerPerson = 10

/** Sessions that one statement reads. */
const checkedAtOnce = 500

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  [serverVersionHeader]: `${buildNumber}`,
}

/*
 *   event: hello   the stream is open: fetch what changed before. {"continued": true}: nothing was missed
 *   event: news    {"about": "delivery", "id": "…"}: fetch it again
 *                  {…, "route": ["…", "…"], "job": {…}}: a job as drivers see it; without `job` it is gone
 *   event: reset   some events may have been lost: fetch everything that changed
 *   Each has an `id`; heartbeats too, so that a quiet stream stays near the newest one.
 */

/** The event stream (R75, R94): names what changed to those who may see it, from whichever process changed it. */
export function eventsRoute(app: Hono<Env>, ports: Ports): { close(): void } {
  const { repo, log, metrics } = ports
  const subscribers = new Set<Subscriber>()
  const recent = recentEvents(ports.clock)
  const roads = knownRoads(ports)
  const unsubscribe = repo.listen(publish, reset)
  const heartbeat = setInterval(beat, heartbeatInterval)
  // In Node the timer must not keep the process alive. In a browser it is a number.
  if (typeof heartbeat === 'object') heartbeat.unref()

  function publish(event: ChangeEvent, id: string) {
    const added = recent.add(id, event)
    if (event.about === 'zones') roads.change()
    for (const subscriber of subscribers) deliver(subscriber, added)
  }

  function deliver(subscriber: Subscriber, added: RecentEvent) {
    if (subscriber.held) return void subscriber.held.push(added)
    const bytes = bytesFor(subscriber, added)
    if (bytes) subscriber.send(bytes)
    if (isAboutAccountOf(subscriber.actor, added.event)) void changeRights(subscriber)
  }

  /**
   * Nobody receives events by rights they have lost: later events wait until the account has been read again
   * (R96).
   */
  async function changeRights(subscriber: Subscriber) {
    subscriber.held = []
    subscriber.changes++
    if (!(await reauthenticate([subscriber]))) return subscriber.end()
    const held = subscriber.held
    subscriber.held = undefined
    for (const each of held) deliver(subscriber, each)
  }

  function reset() {
    recent.forget()
    roads.change()
    const bytes = messageBytes('reset', recent.position(), {})
    for (const subscriber of subscribers) {
      if (subscriber.held) subscriber.held = []
      subscriber.send(bytes)
    }
  }

  function beat() {
    const bytes = heartbeatBytes(recent.position())
    const all = [...subscribers].filter(({ held }) => !held)
    for (const subscriber of all) subscriber.send(bytes)
    if (all.some(({ routes }) => routes.ways.length > 0)) void roads.know()
    void reauthenticateInTurn(all)
  }

  async function reauthenticateInTurn(all: Subscriber[]) {
    for (let from = 0; from < all.length; from += checkedAtOnce)
      await reauthenticate(all.slice(from, from + checkedAtOnce))
  }

  /**
   * Ends the streams of tokens that have ended, and reads the users' roles and statuses again. False when that
   * failed.
   */
  async function reauthenticate(some: Subscriber[]): Promise<boolean> {
    const before = some.map(({ changes }) => changes)
    try {
      const callers = await authenticateAll(
        ports,
        some.map(({ authorization }) => authorization),
      )
      for (const [at, subscriber] of some.entries()) {
        if (before[at] !== subscriber.changes) continue
        const actor = callers[at]?.actor
        if (actor) subscriber.actor = actor
        else subscriber.end()
      }
      return true
    } catch (error) {
      some[0]?.log.warn(
        { err: error, streams: some.length },
        'The sessions of event streams were not checked; the next heartbeat checks them',
      )
      return false
    }
  }

  /**
   * The caller. An account that changes meanwhile is read again, because its event may come before the stream
   * opens.
   */
  async function identify(authorization: string): Promise<Actor> {
    for (;;) {
      const position = recent.position()
      const caller = await authenticate(ports, authorization)
      authorize('person-or-guest', caller)
      const actor = requireActor(caller.actor)
      const meanwhile = recent.after(position)
      if (meanwhile && !meanwhile.some(({ event }) => isAboutAccountOf(actor, event))) return actor
    }
  }

  app.get('/api/events', async (c) => {
    const streamLog = requestLog(log, c)
    try {
      const routes: StreamRoutes = {
        named: readRoutes(c.req.queries('route') ?? []),
        ways: readWays(c.req.queries('way') ?? []),
        distance: roads.distance,
      }
      // Before the caller is read: between that and the opening no event may be missed (R96).
      if (routes.ways.length > 0) await roads.know()
      const authorization = c.req.header('authorization') ?? ''
      const actor = await identify(authorization)
      // Its response has no body: a stream would wait for a reader that never comes (R131).
      if (c.req.method === 'HEAD') return new Response(null, { headers })
      const own = [...subscribers].filter((each) => personOf(each.actor) === personOf(actor))
      for (const oldest of own.slice(0, Math.max(0, own.length - maxStreamsPerPerson + 1)))
        oldest.end()
      const opening = openingOf({ actor, routes }, recent, c.req.header('last-event-id'))
      const about = { actor, routes, authorization, log: streamLog, changes: 0 }
      const onCount = (open: number) => metrics?.streams(open)
      return new Response(openStream(about, opening, subscribers, onCount), { headers })
    } catch (error) {
      return errorResponse(error, streamLog, 'events')
    }
  })

  return {
    close() {
      unsubscribe()
      clearInterval(heartbeat)
      for (const subscriber of subscribers) subscriber.end()
    },
  }
}

const personOf = (actor: Actor) => ('user' in actor ? actor.user.ID : actor.guestOf)

/** To a guest it means that their token may have ended (R131). */
const isAboutAccountOf = (actor: Actor, { about, to }: ChangeEvent) =>
  about === 'me' && to.includes(personOf(actor))

/** The first messages of a stream: the events missed since `last`, or a reset when these are unknown. */
function openingOf(receiver: Receiver, recent: RecentEvents, last?: string): Uint8Array[] {
  const retry = new TextEncoder().encode('retry: 3000\n')
  const position = recent.position()
  const missed = last
    ? recent.after(last)?.flatMap((each) => bytesFor(receiver, each) ?? [])
    : undefined
  const isReadable = missed && missed.reduce((sum, { length }) => sum + length, 0) < maxUnreadBytes
  if (last && isReadable) {
    // With missed events to come, the receiver's position is still `last`.
    const hello = messageBytes('hello', missed.length > 0 ? last : position, { continued: true })
    return [retry, hello, ...missed]
  }
  const hello = messageBytes('hello', position, {})
  return last ? [retry, hello, messageBytes('reset', position, {})] : [retry, hello]
}
