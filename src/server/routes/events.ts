import type { Hono } from 'hono'
import { Refusal } from '#domain/errors.ts'
import type { User } from '#domain/user.ts'
import type { Env } from '../http/app.ts'
import { authenticate, authorize } from '../http/authenticate.ts'
import { errorResponse } from '../http/responses.ts'
import type { Ports } from '../ports/ports.ts'
import { type ChangeEvent, canReceive } from '../rules/change-events.ts'

type Stream = {
  user: User
  authorization: string
  say(text: string): void
  end(): void
}

/** Milliseconds. Phones' networks forget a connection on which nothing was said for a minute. */
const heartbeat = 25_000
/** Of one person: more tabs and phones than that are a mistake. */
const mostOfOne = 10
/** Bytes that may wait for a phone that does not read; then it is let go, and comes back to ask. */
const mostUnread = 64_000

/*
 *   event: hello   the stream is open: what changed before is to be fetched
 *   event: news    {"about": "delivery", "id": "…"}: fetch it again
 *   event: reset   some news may have been lost: fetch everything that changed
 */

/** Pushed news (interfaces): names what changed, to those who may see it, from whichever process changed it. */
export function eventsRoute(app: Hono<Env>, ports: Ports): { close(): void } {
  const { repo, log, metrics } = ports
  const streams = new Set<Stream>()
  const stop = repo.listen(hear, () => {
    for (const stream of streams) stream.say('event: reset\ndata: {}\n\n')
  })
  const beat = setInterval(() => {
    for (const stream of streams) {
      stream.say(': \n\n')
      void lookAgain(stream)
    }
  }, heartbeat)
  // A page has no `unref`, and no process to keep alive.
  if (typeof beat === 'object') beat.unref()

  function hear(news: ChangeEvent) {
    const { about, id } = news
    const text = `event: news\ndata: ${JSON.stringify({ about, id })}\n\n`
    for (const stream of streams)
      if (canReceive(stream.user, news)) {
        stream.say(text)
        if (about === 'me') void lookAgain(stream)
      }
  }

  /** Whether the session still is, and who its person has become. */
  async function lookAgain(stream: Stream) {
    try {
      const { actor } = await authenticate(ports, stream.authorization)
      if (actor && 'user' in actor) stream.user = actor.user
      else stream.end()
    } catch {
      // The database cannot be asked just now; the next beat does.
    }
  }

  app.get('/api/events', async (c) => {
    try {
      const authorization = c.req.header('authorization') ?? ''
      const caller = await authenticate(ports, authorization)
      authorize('person', caller)
      const user = caller.actor && 'user' in caller.actor ? caller.actor.user : undefined
      if (!user) throw new Refusal('no-session')
      const theirs = [...streams].filter((stream) => stream.user.ID === user.ID)
      for (const oldest of theirs.slice(0, Math.max(0, theirs.length - mostOfOne + 1))) oldest.end()
      const body = open(user, authorization)
      const headers = {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      }
      return new Response(body, { headers })
    } catch (error) {
      return errorResponse(error, log, 'events')
    }
  })

  function open(user: User, authorization: string): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder()
    let stream: Stream
    const forget = () => {
      streams.delete(stream)
      metrics?.streams(streams.size)
    }
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          stream = {
            user,
            authorization,
            say(text) {
              if ((controller.desiredSize ?? 0) < 0) return stream.end()
              controller.enqueue(encoder.encode(text))
            },
            end() {
              if (!streams.has(stream)) return
              forget()
              controller.close()
            },
          }
          streams.add(stream)
          metrics?.streams(streams.size)
          stream.say('retry: 3000\nevent: hello\ndata: {}\n\n')
        },
        cancel: forget,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: mostUnread }),
    )
  }

  return {
    close() {
      stop()
      clearInterval(beat)
      for (const stream of streams) stream.end()
    },
  }
}
