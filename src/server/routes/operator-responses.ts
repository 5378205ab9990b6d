import { jsonResponse } from '../http/responses.ts'
import { smsBudget } from '../limits/sms-budget.ts'
import type { Ports, ServiceState } from '../ports/ports.ts'
import { equalSecrets } from '../ports/secrets.ts'
import type { DiskWatch } from './disk-watch.ts'
import { readiness, type ServiceStatus } from './readiness.ts'

/** The responses of `/readyz` and `/metrics`. `address`: the caller's. */
export function operatorResponses(ports: Ports, disk: DiskWatch, isStopping: () => boolean) {
  const { metrics, options } = ports
  const check = readiness(ports, disk, isStopping)
  return {
    check,
    async ready(): Promise<Response> {
      const { status, checks } = await check()
      if (status === 'ready') return jsonResponse(200, { status, ...checks })
      return jsonResponse(503, { status, ...checks }, { 'retry-after': '2' })
    },
    async metrics(headers: Headers, address: string | undefined): Promise<Response> {
      if (!metrics || !mayReadMetrics(options.metricsToken, headers, address))
        return jsonResponse(404, {})
      metrics.state(await serviceState(ports, await check()))
      const { type, body } = await metrics.text()
      return new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
    },
  }
}

/** With a token configured: callers who send it. Without one: this machine, but not through a proxy on it. */
function mayReadMetrics(
  metricsToken: string | undefined,
  headers: Headers,
  address: string | undefined,
): boolean {
  if (metricsToken === undefined)
    return isLoopback(address) && !proxyHeaders.some((name) => headers.has(name))
  const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  return equalSecrets(token, metricsToken)
}

/** What metrics show of the database and the disk. Not read when the database check has just failed. */
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
