import { serverVersionHeader } from '#contract/version.ts'
import type { Fate } from './faults.ts'

const retryAfterSeconds = 120

/** By its mark an answer is our server’s. */
const marked = { [serverVersionHeader]: '13' }

/** What something before the server, or a failing server, answers in place of the server's answer. */
export function replacementAnswer(fate: Fate): Response | undefined {
  const portal = '<html><title>Hotel Wi-Fi</title>Please accept our terms.</html>'
  const gateway = /^gateway (page )?(\d+)$/.exec(fate)
  if (gateway) return gatewayAnswer(Number(gateway[2]), gateway[1] !== undefined)
  switch (fate) {
    case '500':
      return json(500, { error: 'Oops', reason: 'internal' }, marked)
    case '503 for a while':
      return busy(503, retryAfterSeconds)
    case '503 for 2 s':
      return busy(503, 2)
    case '429 for a while':
      return busy(429, retryAfterSeconds)
    case '408':
      return json(408, { error: 'Too slow' })
    case '401':
      return json(401, { error: 'Please log in first.', reason: 'no-session' })
    case 'newer only':
      return json(426, { error: 'Update to continue.', reason: 'update' })
    case 'portal':
      return new Response(portal, { headers: sized(portal, { 'content-type': 'text/html' }) })
    case 'redirected':
      return Object.defineProperty(json(200, { ok: true }), 'redirected', { value: true })
    default:
      return undefined
  }
}

const busy = (status: number, seconds: number) =>
  json(
    status,
    status === 429
      ? { error: 'Slower', reason: 'too-many' }
      : { error: 'Busy', reason: 'unavailable' },
    { ...marked, 'retry-after': String(seconds) },
  )

/** Proxies word the same status in many ways. */
function gatewayAnswer(status: number, isPage: boolean): Response {
  if (isPage) {
    const page = `<html><h1>${status}</h1>nginx</html>`
    return new Response(page, { status, headers: sized(page, { 'content-type': 'text/html' }) })
  }
  return json(status, status % 2 ? { error: 'forbidden' } : { message: 'Not Found' })
}

/** Whether the server, or something before it, has not looked at what was asked (S12). */
export const isNotFinal = (status: number): boolean =>
  [408, 425, 429].includes(status) || status >= 500

const sized = (text: string, headers: Record<string, string>) => ({
  ...headers,
  'content-length': String(text.length),
})

export function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  const text = JSON.stringify(body)
  return new Response(text, {
    status,
    headers: sized(text, { 'content-type': 'application/json', ...headers }),
  })
}

/** As it came from the server, its length said, as every server does. */
export function whole(text: string, { status, headers }: Response): Response {
  const about = Object.fromEntries([...headers].filter(([name]) => name !== 'content-length'))
  return new Response(status === 304 ? null : text, { status, headers: sized(text, about) })
}
