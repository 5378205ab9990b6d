import { Hono } from 'hono'
import { type Endpoint, endpoints, type Op } from '#contract/endpoints.ts'
import { Refusal } from '#domain/errors.ts'
import { createHandlers } from '../handlers/registry.ts'
import { safeLog } from '../log/safe-log.ts'
import type { Ports, SmsMessage } from '../ports/ports.ts'
import { eventsRoute } from '../routes/events.ts'
import { healthRoutes } from '../routes/health.ts'
import { photoRoutes } from '../routes/photos.ts'
import { calls } from './dispatch.ts'
import { errorResponse, jsonResponse, refusalBody } from './responses.ts'

/** What the place it runs in knows of a request beside the request. */
export type Env = { Bindings: { address?: string } }

export type Server = {
  fetch(request: Request, env?: Env['Bindings']): Promise<Response>
  /** Ends the streams that are open and waits for texts that are on their way; requests are still answered. */
  close(): Promise<void>
}

/** The whole server, in web standards alone: it answers in Node and in a page alike. */
export function createServer(given: Ports): Server {
  const ports = { ...given, log: safeLog(given.log) }
  const { log, metrics } = ports
  const app = new Hono<Env>()
  const handlers = createHandlers(ports)
  const texts = texting(ports)
  const caller = calls(ports, texts.send)

  for (const op of Object.keys(endpoints) as Op[]) {
    const endpoint: Endpoint = endpoints[op]
    app.on(endpoint.method, `/api${endpoint.path}`, async (c) => {
      const began = performance.now()
      const id = c.req.param('id') ?? ''
      const address = c.env?.address ?? 'unknown'
      const response = await caller(op, endpoint, handlers[op], c.req.raw, id, address).catch(
        (error: unknown) => errorResponse(error, log, op),
      )
      metrics?.answered(op, response.status, (performance.now() - began) / 1000)
      return response
    })
  }
  const events = eventsRoute(app, ports)
  photoRoutes(app, ports)
  healthRoutes(app, ports)
  // Few ask for it, and the demo's page never does. Made once: it takes longer than any other answer.
  let description: Promise<object> | undefined
  app.get('/api/openapi.json', async () => {
    description ??= import('../routes/openapi.ts').then(({ openApi }) => openApi())
    return jsonResponse(200, await description)
  })

  const paths = new Set(app.routes.map(({ path }) => path))
  for (const path of paths)
    app.all(path, () => {
      const methods = app.routes.filter((route) => route.path === path && route.method !== 'ALL')
      const allow = [...new Set(methods.map(({ method }) => method))].join(', ')
      return jsonResponse(405, refusalBody(new Refusal('method-not-allowed')), { allow })
    })
  app.all('*', async (c) => {
    const page = new URL(c.req.url).pathname.startsWith('/api/')
      ? undefined
      : await ports.pages?.(c.req.raw)
    return page ?? jsonResponse(404, refusalBody(new Refusal('not-found')))
  })
  app.onError((error) => errorResponse(error, log, 'http'))

  return {
    fetch: async (request, env) => app.fetch(request, env),
    async close() {
      events.close()
      await texts.sent()
    },
  }
}

/**
 * Texts go out after their transaction, and no answer waits for them: how long it took would tell
 * whether a number is known.
 */
function texting({ sms, log }: Ports) {
  const underWay = new Set<Promise<void>>()
  return {
    send(texts: SmsMessage[] = []) {
      for (const text of texts) {
        const sending = sms
          .send(text)
          .catch((error: unknown) => log.error({ err: error }, 'An SMS was not sent'))
          .finally(() => underWay.delete(sending))
        underWay.add(sending)
      }
    },
    sent: () => Promise.all(underWay),
  }
}
