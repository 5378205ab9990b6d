import { errorFrom, Unreachable } from '#contract/errors.ts'
import type { Tools } from '../platform/context.ts'

/** What a stream says; a `beat` says only that it is still there. */
export type Said =
  | { event: 'hello' | 'reset' | 'beat' }
  | { event: 'news'; about: string; id?: string }

/** The server says something every 25 s (`server/handlers/events.ts`): after this long it is gone. */
const silence = 60_000

/**
 * Opens the stream of pushed news (interfaces) and hears it until it ends. `heard` is awaited, and
 * given all that came at once. Throws `Refused` when the server said no, `Unreachable` when it was no
 * stream, broke off, or fell silent.
 */
export async function hearStream(
  tools: Tools,
  token: string,
  signal: AbortSignal,
  heard: (said: Said[]) => Promise<unknown>,
): Promise<void> {
  const line = new AbortController()
  const hangUp = () => line.abort()
  signal.addEventListener('abort', hangUp)
  const cut = cutter()
  const watch = watchdog(tools, hangUp)
  try {
    const response = await open(tools, token, line.signal)
    for await (const text of textOf(response, line.signal)) {
      watch.feed()
      tools.meter.down += text.length
      const said = cut(text)
      if (said.length > 0) await heard(said)
    }
  } finally {
    watch.end()
    signal.removeEventListener('abort', hangUp)
    hangUp()
  }
}

/** Cuts text into whole events; what has not come to its end waits for the rest. */
function cutter(): (text: string) => Said[] {
  let unread = ''
  return (text) => {
    const parts = (unread + text.replaceAll('\r\n', '\n')).split('\n\n')
    unread = parts.pop() ?? ''
    return parts.flatMap(read)
  }
}

async function open(tools: Tools, token: string, signal: AbortSignal): Promise<Response> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  const url = `${tools.base}/events`
  const response = await tools
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

function read(block: string): Said[] {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const at = line.indexOf(':')
    if (at === 0) fields.set('event', fields.get('event') ?? 'beat')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).trim())
  }
  const event = fields.get('event')
  if (event === 'hello' || event === 'reset' || event === 'beat') return [{ event }]
  if (event !== 'news') return []
  try {
    const { about, id } = JSON.parse(fields.get('data') ?? '') as Record<string, unknown>
    if (typeof about !== 'string') return []
    return [{ event, about, ...(typeof id === 'string' ? { id } : {}) }]
  } catch {
    // News nobody can read: something has changed, and everything is worth a look.
    return [{ event: 'reset' }]
  }
}

function watchdog({ clock }: Tools, bark: () => void) {
  let timer = clock.setTimeout(bark, silence)
  const end = () => clock.clearTimeout(timer)
  return {
    end,
    feed: () => {
      end()
      timer = clock.setTimeout(bark, silence)
    },
  }
}
