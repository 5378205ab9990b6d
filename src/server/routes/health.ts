import type { Hono } from 'hono'
import { type Env, requestLog } from '../http/request-log.ts'
import { errorResponse, jsonResponse } from '../http/responses.ts'
import { minFreeBytes } from '../photos/intake.ts'
import type { ImageStore, Ports } from '../ports/ports.ts'
import { equalSecrets } from '../ports/secrets.ts'

/** Routes for the operator: `/healthz` (the process runs), `/readyz` (the database answers) and `/metrics`. */
export function healthRoutes(app: Hono<Env>, { repo, metrics, log, images, options }: Ports) {
  app.get('/healthz', () => jsonResponse(200, { status: 'ok' }))

  app.get('/readyz', async (c) => {
    try {
      await repo.ping()
      return jsonResponse(200, { status: 'ready', uploads: await uploadState(images) })
    } catch (error) {
      return errorResponse(error, requestLog(log, c), 'readyz')
    }
  })

  app.get('/metrics', async (c) => {
    if (!metrics || !mayReadMetrics(c.req.raw.headers, c.env?.address)) return jsonResponse(404, {})
    const { type, body } = await metrics.text()
    return new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
  })

  /** With a token: whoever has it. Without one: this machine, but no request that came through a proxy on it. */
  function mayReadMetrics(headers: Headers, address: string | undefined): boolean {
    const { metricsToken } = options
    if (metricsToken === undefined)
      return isLoopback(address) && !proxyHeaders.some((name) => headers.has(name))
    const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
    return equalSecrets(token, metricsToken)
  }
}

/**
 * A full disk does not make the server unready: everything but uploads still works, and the space kept
 * free is for the database, which may be on that disk.
 */
async function uploadState(images: ImageStore | undefined): Promise<string> {
  if (!images) return 'elsewhere'
  const free = await images.freeBytes().catch(() => 0)
  return free < minFreeBytes ? 'disk low' : 'ready'
}

/** Headers that proxies add to a request. */
const proxyHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

const isLoopback = (address = '') => /^(127\.|::1$|::ffff:127\.)/.test(address)
