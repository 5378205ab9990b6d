import type { Hono } from 'hono'
import type { Env } from '../http/request-log.ts'
import { jsonResponse } from '../http/responses.ts'
import { smsBudget } from '../limits/sms-budget.ts'
import type { Ports, ServiceState } from '../ports/ports.ts'
import { equalSecrets } from '../ports/secrets.ts'
import type { ServiceStatus } from './readiness.ts'

/**
 * Routes for the operator: `/healthz` (the process runs), `/readyz` (it can serve; else 503, and which check
 * fails) and `/metrics`.
 */
export function healthRoutes(app: Hono<Env>, ports: Ports, check: () => Promise<ServiceStatus>) {
  const { metrics, options } = ports
  app.get('/healthz', () => jsonResponse(200, { status: 'ok' }))

  app.get('/readyz', async () => {
    const { status, checks } = await check()
    if (status === 'ready') return jsonResponse(200, { status, ...checks })
    return jsonResponse(503, { status, ...checks }, { 'retry-after': '2' })
  })

  app.get('/metrics', async (c) => {
    if (!metrics || !mayReadMetrics(c.req.raw.headers, c.env?.address)) return jsonResponse(404, {})
    metrics.state(await serviceState(ports, await check()))
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

/** What metrics show of the database and the disk. A database that did not answer the check is not asked again. */
async function serviceState(ports: Ports, { checks }: ServiceStatus): Promise<ServiceState> {
  const { repo, clock, databaseFreeBytes } = ports
  const at = new Date(clock()).toISOString()
  const isThere = checks.database === 'ready'
  const smsToday = isThere
    ? await repo.read((stores) => smsBudget(ports).sent(stores, at)).catch(() => undefined)
    : undefined
  return {
    checks: {
      database: isThere,
      migrations: ['ready', 'newer'].includes(checks.migrations),
      disk: checks.disk === 'ready',
      uploads: checks.uploads === 'ready' || checks.uploads === 'elsewhere',
    },
    smsToday,
    freeBytes: await databaseFreeBytes?.().catch(() => undefined),
  }
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
