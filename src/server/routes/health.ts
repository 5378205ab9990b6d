import type { Hono } from 'hono'
import type { Env } from '../http/app.ts'
import { errorResponse, jsonResponse } from '../http/responses.ts'
import { minFreeBytes } from '../photos/intake.ts'
import type { ImageStore, Ports } from '../ports/ports.ts'
import { equalSecrets } from '../ports/secrets.ts'

/** For whoever runs the server: whether it lives, whether it can work, and how it does. */
export function healthRoutes(app: Hono<Env>, { repo, metrics, log, images, options }: Ports) {
  app.get('/healthz', () => jsonResponse(200, { status: 'ok' }))

  app.get('/readyz', async () => {
    try {
      await repo.ping()
      return jsonResponse(200, { status: 'ready', uploads: await uploadsOf(images) })
    } catch (error) {
      return errorResponse(error, log, 'readyz')
    }
  })

  app.get('/metrics', async (c) => {
    if (!metrics || !mayRead(c.req.raw.headers, c.env?.address)) return jsonResponse(404, {})
    const { type, body } = await metrics.text()
    return new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
  })

  /** With a token, whoever has it; without one, this machine, but not what a proxy on it brings in. */
  function mayRead(headers: Headers, address: string | undefined): boolean {
    const { metricsToken } = options
    if (metricsToken === undefined)
      return isLoopback(address) && !forwarding.some((name) => headers.has(name))
    const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
    return equalSecrets(token, metricsToken)
  }
}

/**
 * Without room for photos the server stays ready: everything else works, and the room that is kept
 * free is for the database, which may be on that disk. To stop sending it requests would help nobody.
 */
async function uploadsOf(images: ImageStore | undefined): Promise<string> {
  if (!images) return 'elsewhere'
  const free = await images.freeBytes().catch(() => 0)
  return free < minFreeBytes ? 'disk low' : 'ready'
}

/** What proxies add to a request. */
const forwarding = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

const isLoopback = (address = '') => /^(127\.|::1$|::ffff:127\.)/.test(address)
