import { createParser } from 'eventsource-parser'
import { errorFrom, Unreachable } from '#contract/errors.ts'
import type { SyncContext } from '../platform/context.ts'

/** One event of the stream; a `beat` only shows that it is alive. */
export type ServerEvent =
  | { event: 'hello' | 'reset' | 'beat' }
  | { event: 'news'; about: string; id?: string }

/** The server sends something every 25 s: after this long without a byte the stream is dead (S23). */
const silence = 60_000

/**
 * Opens the stream of pushed events and reads it until it ends. `onEvents` is awaited, with all
 * events of one chunk. Throws `Refused` when the server refused, `Unreachable` when the answer was no
 * stream, broke off, or fell silent.
 */
export async function readEventStream(
  context: SyncContext,
  token: string,
  signal: AbortSignal,
  onEvents: (events: ServerEvent[]) => Promise<unknown>,
): Promise<void> {
  const connection = new AbortController()
  const close = () => connection.abort()
  signal.addEventListener('abort', close)
  const parse = eventParser()
  const watchdog = createWatchdog(context, close)
  try {
    const response = await open(context, token, connection.signal)
    for await (const text of textOf(response, connection.signal)) {
      watchdog.reset()
      context.traffic.add({ down: text.length })
      const events = parse(text)
      if (events.length > 0) await onEvents(events)
    }
  } finally {
    watchdog.stop()
    signal.removeEventListener('abort', close)
    close()
  }
}

/** Gives the events that each piece of text completes. */
function eventParser(): (text: string) => ServerEvent[] {
  let events: ServerEvent[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => events.push(...readEvent(event, data)),
    onComment: () => events.push({ event: 'beat' }),
  })
  return (text) => {
    events = []
    parser.feed(text)
    return events
  }
}

function readEvent(event: string | undefined, data: string): ServerEvent[] {
  if (event === 'hello' || event === 'reset') return [{ event }]
  if (event !== 'news') return []
  try {
    const { about, id } = JSON.parse(data) as Record<string, unknown>
    if (typeof about !== 'string') return []
    return [{ event, about, ...(typeof id === 'string' ? { id } : {}) }]
  } catch {
    // An event nobody can read: something has changed, and everything is worth a look.
    return [{ event: 'reset' }]
  }
}

async function open(context: SyncContext, token: string, signal: AbortSignal): Promise<Response> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  const url = `${context.base}/events`
  const response = await context
    .transport(new Request(url, { headers, signal, cache: 'no-store' }))
    .catch((cause) => {
      throw new Unreachable('No answer', { cause })
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
  if (!body) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  // An in-page server's answer knows nothing of the request's signal.
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
