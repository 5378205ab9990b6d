import type { Hono } from 'hono'
import { Refusal } from '#domain/errors.ts'
import type { User } from '#domain/users/user.ts'
import { authenticate, authorize } from '../http/authenticate.ts'
import { type Env, requestLog } from '../http/request-log.ts'
import { errorResponse } from '../http/responses.ts'
import type { Ports } from '../ports/ports.ts'
import { type ChangeEvent, canReceive } from '../rules/change-events.ts'
import { openStream, type Subscriber } from './event-stream.ts'

/** Milliseconds. Mobile networks drop a connection that was silent for a minute. */
const heartbeatInterval = 25_000
/** Streams of one person. More tabs and phones than that are a mistake: the oldest stream ends. */
const maxStreamsPerPerson = 10

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/*
 *   event: hello   the stream is open: fetch what changed before
 *   event: news    {"about": "delivery", "id": "…"}: fetch it again
 *   event: reset   some events may have been lost: fetch everything that changed
 */

/** The event stream (R75): names what changed to those who may see it, from whichever process changed it. */
export function eventsRoute(app: Hono<Env>, ports: Ports): { close(): void } {
  const { repo, log, metrics } = ports
  const subscribers = new Set<Subscriber>()
  const unsubscribe = repo.listen(publish, () => {
    for (const subscriber of subscribers) subscriber.send('event: reset\ndata: {}\n\n')
  })
  const heartbeat = setInterval(() => {
    for (const subscriber of subscribers) {
      subscriber.send(': \n\n')
      void reauthenticate(subscriber)
    }
  }, heartbeatInterval)
  // In Node the timer must not keep the process alive. A browser's timer is a number.
  if (typeof heartbeat === 'object') heartbeat.unref()

  function publish(event: ChangeEvent) {
    const { about, id } = event
    const text = `event: news\ndata: ${JSON.stringify({ about, id })}\n\n`
    for (const subscriber of subscribers)
      if (canReceive(subscriber.user, event)) {
        subscriber.send(text)
        if (about === 'me') void reauthenticate(subscriber)
      }
  }

  /** Ends the stream of a session that has ended, and reads the user's role and status again. */
  async function reauthenticate(subscriber: Subscriber) {
    try {
      const { actor } = await authenticate(ports, subscriber.authorization)
      if (actor && 'user' in actor) subscriber.user = actor.user
      else subscriber.end()
    } catch (error) {
      subscriber.log.warn(
        { err: error },
        'The session of an event stream was not checked; the next heartbeat checks it',
      )
    }
  }

  async function userOf(authorization: string): Promise<User> {
    const caller = await authenticate(ports, authorization)
    authorize('person', caller)
    if (!caller.actor || !('user' in caller.actor)) throw new Refusal('no-session')
    return caller.actor.user
  }

  app.get('/api/events', async (c) => {
    const streamLog = requestLog(log, c)
    try {
      const authorization = c.req.header('authorization') ?? ''
      const user = await userOf(authorization)
      const own = [...subscribers].filter((subscriber) => subscriber.user.ID === user.ID)
      for (const oldest of own.slice(0, Math.max(0, own.length - maxStreamsPerPerson + 1)))
        oldest.end()
      const onCount = (open: number) => metrics?.streams(open)
      const body = openStream({ user, authorization, log: streamLog }, subscribers, onCount)
      return new Response(body, { headers })
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
