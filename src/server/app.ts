import { Hono, type MiddlewareHandler } from 'hono'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { supportHeader } from '#contract/transport.ts'
import { Refusal } from '#domain/errors.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { createHandlers } from './handlers/registry.ts'
import { authenticate } from './http/authenticate.ts'
import { batchRoute } from './http/batch/batch-route.ts'
import { refuseOldClients } from './http/client-version.ts'
import { refuseCrossSite } from './http/cross-site.ts'
import { type Calls, createDispatcher } from './http/dispatch.ts'
import { measured, measurePhotos, tracedCall } from './http/measure.ts'
import { sentBy } from './http/read-request.ts'
import { type Env, identifyRequest, requestLog, sendRequestId } from './http/request-log.ts'
import {
  errorOutcome,
  errorResponse,
  jsonResponse,
  refusalBody,
  toReadResponse,
  toResponse,
} from './http/responses.ts'
import { smsSender } from './http/sms-sender.ts'
import { type SupportContacts, supportContacts } from './http/support-contacts.ts'
import { safeLog } from './log/safe-log.ts'
import type { Ports } from './ports/ports.ts'
import { diskWatch } from './routes/disk-watch.ts'
import { eventsRoute } from './routes/events.ts'
import { healthRoutes } from './routes/health.ts'
import { paymentWebhook } from './routes/payment-webhook.ts'
import { photoRoutes } from './routes/photos.ts'
import type { ServiceStatus } from './routes/readiness.ts'

export type Server = {
  fetch(request: Request, env?: Env['Bindings']): Promise<Response>
  /** Makes `/readyz` return 503, so that a load balancer sends new requests elsewhere. */
  drain(): void
  /** As `/readyz` does. */
  checkReadiness(): Promise<ServiceStatus>
  /** Ends the open event streams and waits for running batches and SMS. Other requests are still served. */
  close(): Promise<void>
}

/** The whole server, built on web standards only, so that it runs in Node and in a page (the demo). */
export function createServer(adapters: Ports): Server {
  const disk = diskWatch(adapters.repo)
  const ports = { ...adapters, repo: disk.repo, log: safeLog(adapters.log) }
  let isStopping = false
  const app = new Hono<Env>()
  const sender = smsSender(ports)
  app.use(identifyRequest(ports.secrets.id))
  app.use(sendRequestId)
  app.use(refuseCrossSite)
  const contacts = supportContacts(ports)
  app.use('/api/*', reportContacts(contacts))
  const { minClientVersion } = ports.options
  if (minClientVersion !== undefined) app.use('/api/*', refuseOldClients(minClientVersion))
  const calls = { handlers: createHandlers(ports), ...createDispatcher(ports, sender) }
  endpointRoutes(app, ports, calls)
  const batches = batchRoute(app, ports, calls)
  const events = eventsRoute(app, ports)
  app.use('/api/images/*', measurePhotos(ports))
  photoRoutes(app, ports)
  paymentWebhook(app, ports)
  const checkReadiness = healthRoutes(app, ports, disk, () => isStopping)
  openApiRoute(app)
  refuseOtherMethods(app)
  pageRoutes(app, ports)
  app.onError((error, c) => errorResponse(error, requestLog(ports.log, c), 'http'))
  return {
    fetch: async (request, env) => app.fetch(request, env),
    drain() {
      isStopping = true
    },
    checkReadiness,
    async close() {
      isStopping = true
      events.close()
      await contacts.close()
      await batches.settled()
      await sender.settled()
    },
  }
}

/** Records the support code and queue length that a request carries, after its response (R92). */
const reportContacts =
  (contacts: SupportContacts): MiddlewareHandler<Env> =>
  async (c, next) => {
    if (c.req.header(supportHeader) === undefined) return next()
    await next()
    contacts.heard(c.req.raw.headers, c.env?.address ?? 'unknown')
  }

/** One route for each line of the endpoint table. */
function endpointRoutes(app: Hono<Env>, ports: Ports, { handlers, dispatch }: Calls) {
  const { log } = ports
  for (const op of Object.keys(endpoints) as Op[]) {
    const endpoint: Endpoint = endpoints[op]
    app.on(endpoint.method, `/api${endpoint.path}`, async (c) => {
      const callLog = requestLog(log, c)
      const outcome = await measured(ports, tracedCall(c, op), () =>
        dispatch({
          op,
          endpoint,
          handler: handlers[op],
          sent: sentBy(c.req.raw),
          pathParameter: Object.values<string>(c.req.param())[0] ?? '',
          authenticate: () => authenticate(ports, c.req.raw.headers.get('authorization')),
          address: c.env?.address ?? 'unknown',
          log: callLog,
        }).catch((error: unknown) => errorOutcome(error, callLog, op)),
      )
      return endpoint.method === 'GET' ? toReadResponse(outcome) : toResponse(outcome)
    })
  }
}

/** Loaded on demand, because the demo never needs it, and built once, because building it is slow. */
function openApiRoute(app: Hono<Env>) {
  let description: Promise<object> | undefined
  app.get('/api/openapi.json', async () => {
    description ??= import('./routes/openapi.ts').then(({ openApi }) => openApi())
    return toReadResponse({ status: 200, body: await description })
  })
}

/** Returns 405 for methods that a known path has no route for. */
function refuseOtherMethods(app: Hono<Env>) {
  // Middleware has the method ALL.
  const routes = app.routes.filter(({ method }) => method !== 'ALL')
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
    const allow = [...new Set(methods)].join(', ')
    app.all(path, () =>
      jsonResponse(405, refusalBody(new Refusal('method-not-allowed')), { allow }),
    )
  }
}

/** Every other path: a file of the built app, or 404. */
function pageRoutes(app: Hono<Env>, { pages }: Ports) {
  app.all('*', async (c) => {
    const isApi = new URL(c.req.url).pathname.startsWith('/api/')
    const page = isApi ? undefined : await pages?.(c.req.raw)
    return page ?? jsonResponse(404, refusalBody(new Refusal('not-found')))
  })
}
