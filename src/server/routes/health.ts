import type { Hono } from 'hono'
import { type Env, requestLog } from '../http/request-log.ts'
import { errorResponse, jsonResponse } from '../http/responses.ts'
import { minFreeBytes } from '../photos/intake.ts'
import type { ImageStore, Ports } from '../ports/ports.ts'
import { equalSecrets } from '../ports/secrets.ts'

/**
 * Routes for the operator: `/healthz` (the process runs), `/readyz` (the database answers, and the bucket of
 * the photos is there and opens) and `/metrics`.
 */
export function healthRoutes(app: Hono<Env>, { repo, metrics, log, images, options }: Ports) {
  app.get('/healthz', () => jsonResponse(200, { status: 'ok' }))

  app.get('/readyz', async (c) => {
    try {
      await repo.ping()
      const { uploads, isReady } = await uploadState(images)
      return jsonResponse(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', uploads })
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
 * A full disk, or a bucket that cannot be reached for a while, does not make the server unready: everything
 * but photos still works, and every other server process would be unready too. A bucket that is missing or
 * refuses the key does, until the operator mends it.
 */
async function uploadState(images: ImageStore | undefined) {
  if (!images) return { uploads: 'elsewhere', isReady: true }
  const problem = await images.problem?.()
  if (problem) return { uploads: problem.reason, isReady: !problem.isPermanent }
  const free = await images.freeBytes().catch(() => 0)
  return { uploads: free < minFreeBytes ? 'disk low' : 'ready', isReady: true }
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
