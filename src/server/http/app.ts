import { Hono } from 'hono'
import { type Endpoint, endpoints, type Op } from '#contract/endpoints.ts'
import { Refusal } from '#domain/errors.ts'
import { createHandlers } from '../handlers/registry.ts'
import { safeLog } from '../log/safe-log.ts'
import type { Ports } from '../ports/ports.ts'
import { eventsRoute } from '../routes/events.ts'
import { healthRoutes } from '../routes/health.ts'
import { photoRoutes } from '../routes/photos.ts'
import { batchRoute, type MakeCall } from './batch.ts'
import { type Call, createDispatcher } from './dispatch.ts'
import { type Env, identifyRequest, logOf, requestLog, sendRequestId } from './request-log.ts'
import { errorResponse, jsonResponse, refusalBody } from './responses.ts'
import { type SmsSender, smsSender } from './sms-sender.ts'

export type Server = {
  fetch(request: Request, env?: Env['Bindings']): Promise<Response>
  /** Ends the open event streams and waits for SMS under way. Requests are still answered. */
  close(): Promise<void>
}

/** The whole server, in web standards alone: it answers in Node and in a page alike. */
export function createServer(adapters: Ports): Server {
  const ports = { ...adapters, log: safeLog(adapters.log) }
  const app = new Hono<Env>()
  const sender = smsSender(ports)
  app.use(identifyRequest(ports.secrets.id))
  app.use(sendRequestId)
  batchRoute(app, ports, endpointRoutes(app, ports, sender))
  const events = eventsRoute(app, ports)
  photoRoutes(app, ports)
  healthRoutes(app, ports)
  openApiRoute(app)
  refuseOtherMethods(app)
  pageRoutes(app, ports)
  app.onError((error, c) => errorResponse(error, requestLog(ports.log, c), 'http'))
  return {
    fetch: async (request, env) => app.fetch(request, env),
    async close() {
      events.close()
      await sender.settled()
    },
  }
}

/** One route for each line of the endpoint table. Returns how an operation of a batch makes its call. */
function endpointRoutes(app: Hono<Env>, ports: Ports, sender: SmsSender): MakeCall {
  const { log, metrics } = ports
  const handlers = createHandlers(ports)
  const dispatch = createDispatcher(ports, sender)

  async function answer<O extends Op>(
    op: O,
    call: Pick<Call<O>, 'request' | 'rowId' | 'address' | 'log'>,
  ) {
    const startedAt = performance.now()
    const about = { ...call, op, endpoint: endpoints[op] as Endpoint, handler: handlers[op] }
    const response = await dispatch(about).catch((error: unknown) =>
      errorResponse(error, call.log, op),
    )
    metrics?.answered(op, response.status, (performance.now() - startedAt) / 1000)
    return response
  }

  for (const op of Object.keys(endpoints) as Op[]) {
    const { method, path }: Endpoint = endpoints[op]
    app.on(method, `/api${path}`, (c) =>
      answer(op, {
        request: c.req.raw,
        rowId: c.req.param('id') ?? '',
        address: c.env?.address ?? 'unknown',
        log: requestLog(log, c),
      }),
    )
  }

  return (op, rowId, request, address) => {
    const { method, path }: Endpoint = endpoints[op]
    const key = request.headers.get('idempotency-key') ?? ''
    const operationLog = logOf(log, { request: key, method, route: `/api${path}` })
    return answer(op, { request, rowId, address, log: operationLog })
  }
}

/** The description is loaded on demand: the demo's page never asks for it. It is made once, because it is slow. */
function openApiRoute(app: Hono<Env>) {
  let description: Promise<object> | undefined
  app.get('/api/openapi.json', async () => {
    description ??= import('../routes/openapi.ts').then(({ openApi }) => openApi())
    return jsonResponse(200, await description)
  })
}

/** Answers 405 to every method that a known path has no route for. */
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
