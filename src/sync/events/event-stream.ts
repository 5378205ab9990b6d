import { createParser } from 'eventsource-parser'
import { errorFrom, Unreachable } from '#contract/wire-errors.ts'
import type { SyncContext } from '../platform/context.ts'

/**
 * One event of the stream; a `beat` only shows that it is alive. `position`: from where the stream goes on
 * after it, where the server says so. `isContinued`: nothing was missed. `pushed`: a row as its readers see
 * it, or without one that it left their list.
 */
export type ServerEvent = { position?: string } & (
  | { event: 'reset' | 'beat' }
  | { event: 'hello'; isContinued: boolean }
  | { event: 'news'; about: string; id?: string; pushed?: { row?: unknown } }
)

/** Who asks for a stream, which routes it names (`name=value` of the query), and from which position it continues. */
export type StreamRequest = { token: string; routes: readonly string[]; after?: string }

/** The server sends something every 25 s: after this long without a byte the stream is dead (S23). */
const silence = 60_000

/**
 * Opens the stream of pushed events and reads it until it ends. `onEvents` is awaited, with all
 * events of one chunk. Throws `Refused` when the server refused, `Unreachable` when the response was no
 * stream, or broke off. Resolves to how it ended: `silent` when nothing came for a minute.
 */
export async function readEventStream(
  context: SyncContext,
  request: StreamRequest,
  signal: AbortSignal,
  onEvents: (events: ServerEvent[]) => Promise<unknown>,
): Promise<'silent' | 'ended'> {
  const connection = new AbortController()
  const close = () => connection.abort()
  signal.addEventListener('abort', close)
  // What was called off before it began fires no event: it would stay open for whoever was here before.
  if (signal.aborted) close()
  const parse = eventParser()
  let isSilent = false
  const watchdog = createWatchdog(context, () => {
    isSilent = true
    close()
  })
  try {
    const response = await open(context, request, connection.signal)
    for await (const text of textOf(response, connection.signal)) {
      watchdog.reset()
      context.traffic.add({ down: text.length })
      const events = parse(text)
      if (events.length > 0) await onEvents(events)
    }
    return isSilent ? 'silent' : 'ended'
  } catch (error) {
    if (isSilent) return 'silent'
    throw error
  } finally {
    watchdog.stop()
    signal.removeEventListener('abort', close)
    close()
  }
}

/** Gives the events that each piece of text completes. */
function eventParser(): (text: string) => ServerEvent[] {
  let events: ServerEvent[] = []
  let hasPositions = false
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      hasPositions ||= id !== undefined
      events.push(...readEvent(event, data).map((each) => ({ ...each, position: id })))
    },
    // Of a server whose events have IDs, the comment of a heartbeat is the position.
    onComment: (text) =>
      events.push({ event: 'beat', position: hasPositions ? text.trim() || undefined : undefined }),
  })
  return (text) => {
    events = []
    parser.feed(text)
    return events
  }
}

function readEvent(event: string | undefined, data: string): ServerEvent[] {
  if (event === 'reset') return [{ event }]
  if (event === 'hello') return [{ event, isContinued: isContinued(data) }]
  if (event !== 'news') return []
  try {
    // On the wire a pushed row is a `job`, and names its route.
    const { about, id, route, job } = JSON.parse(data) as Record<string, unknown>
    if (typeof about !== 'string') return []
    const pushed = route === undefined ? undefined : { row: job }
    return [{ event, about, ...(typeof id === 'string' ? { id } : {}), pushed }]
  } catch {
    // An event nobody can read: something has changed, and everything is worth a look.
    return [{ event: 'reset' }]
  }
}

function isContinued(data: string): boolean {
  try {
    return (JSON.parse(data) as { continued?: unknown } | null)?.continued === true
  } catch {
    return false
  }
}

/** Of `route=Osu|Tema`. */
function nameAndValue(text: string): [string, string] {
  const at = text.indexOf('=')
  return [text.slice(0, at), text.slice(at + 1)]
}

async function open(
  context: SyncContext,
  { token, routes, after }: StreamRequest,
  signal: AbortSignal,
): Promise<Response> {
  const headers = new Headers({ accept: 'text/event-stream', authorization: `Bearer ${token}` })
  if (after !== undefined) headers.set('last-event-id', after)
  const query = new URLSearchParams(routes.map((route) => nameAndValue(route)))
  const url = `${context.base}/events${routes.length > 0 ? `?${query}` : ''}`
  const response = await context
    .transport(new Request(url, { headers, signal, cache: 'no-store' }))
    .catch((cause) => {
      throw new Unreachable('No response', { cause })
    })
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok && type.startsWith('application/json'))
    throw errorFrom(response.status, await response.json().catch(() => undefined))
  if (!response.ok || response.redirected || !type.startsWith('text/event-stream')) {
    void response.body?.cancel().catch(() => {})
    throw new Unreachable('No stream', { status: response.status })
  }
  return response
}

async function* textOf({ body }: Response, signal: AbortSignal): AsyncGenerator<string> {
  const reader = body?.getReader?.()
  // As from a backend without a stream: lists are polled.
  if (!reader) throw new Unreachable('This browser reads no streams', { status: 501 })
  const decoder = new TextDecoder()
  // An in-page server's response knows nothing of the request's signal.
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } catch (cause) {
    throw new Unreachable('The stream broke off', { cause })
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Calls `onTimeout` when it was not reset for as long as a stream may be silent. */
function createWatchdog({ clock }: SyncContext, onTimeout: () => void) {
  let timer = clock.setTimeout(onTimeout, silence)
  const stop = () => clock.clearTimeout(timer)
  return {
    stop,
    reset: () => {
      stop()
      timer = clock.setTimeout(onTimeout, silence)
    },
  }
}
