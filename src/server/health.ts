import type { Hono } from 'hono'
import type { Gateways } from './gateways.ts'
import type { Env } from './http.ts'
import { failure, json } from './responses.ts'

/** For whoever runs the server: whether it lives, whether it can work, and how it does. */
export function healthRoutes(app: Hono<Env>, { repo, metrics, log }: Gateways) {
  app.get('/healthz', () => json(200, { status: 'ok' }))

  app.get('/readyz', async () => {
    try {
      await repo.ping()
      return json(200, { status: 'ready' })
    } catch (error) {
      return failure(error, log, 'readyz')
    }
  })

  app.get('/metrics', async (c) => {
    // A proxy on this machine speaks for others; it says so.
    const forwarded = ['forwarded', 'x-forwarded-for', 'via'].some((name) => c.req.header(name))
    if (!metrics || forwarded || !isLoopback(c.env?.address)) return json(404, {})
    const { type, body } = await metrics.text()
    return new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
  })
}

const isLoopback = (address = '') => /^(127\.|::1$|::ffff:127\.)/.test(address)
