import { ours } from './answers.ts'

const json = (status: number, body: object) => Response.json(body, { status })

/** Rejects once the caller gives up. */
const hangs = ({ signal }: Request) =>
  new Promise<Response>((_, reject) =>
    signal.addEventListener('abort', () => reject(new TypeError('Aborted'))),
  )

/** Every way in which one request brings no usable answer. */
export const waysToFail: Record<string, (request: Request) => Promise<Response> | Response> = {
  'cut off': () => Promise.reject(new TypeError('Failed to fetch')),
  'never answered': hangs,
  'answered by a portal’s page': () => new Response('<html>Welcome</html>'),
  'answered by a portal’s JSON': () => json(200, { login: 'http://hotel.test' }),
  redirected: () => Object.defineProperty(json(200, {}), 'redirected', { value: true }),
  'refused by a gateway with 403': () => json(403, { message: 'Forbidden' }),
  'refused by a gateway with 404': () => json(404, { message: 'no Route matched' }),
  'refused by a gateway with 410': () => json(410, { message: 'Gone' }),
  'asked for patience with 429': () =>
    ours({ error: 'Slow down', reason: 'too-many' }, 429, { 'retry-after': '1' }),
  'asked for patience with 503': () =>
    ours({ error: 'Restarting', reason: 'unavailable' }, 503, { 'retry-after': '2' }),
  'failed with 500': () => ours({ error: 'Oops', reason: 'internal' }, 500),
  'answered in an unknown form': () => ours({ surprise: 1 }),
  'refused by us': () => ours({ error: 'Not there', reason: 'not-found' }, 404),
}
