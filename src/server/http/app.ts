import { Hono } from 'hono'
import { type Endpoint, endpoints, type Op } from '#contract/endpoints.ts'
import { Refusal } from '#domain/errors.ts'
import { handlersOver } from '../handlers/registry.ts'
import { safeLog } from '../log/safe-log.ts'
import type { Gateways, Text } from '../ports/ports.ts'
import { eventsRoute } from '../routes/events.ts'
import { healthRoutes } from '../routes/health.ts'
import { photoRoutes } from '../routes/photos.ts'
import { calls } from './dispatch.ts'
import { failure, json, refusalBody } from './responses.ts'

/** What the place it runs in knows of a request beside the request. */
export type Env = { Bindings: { address?: string } }

export type Server = {
  fetch(request: Request, env?: Env['Bindings']): Promise<Response>
  /** Ends the streams that are open and waits for texts that are on their way; requests are still answered. */
  close(): Promise<void>
}

/** The whole server, in web standards alone: it answers in Node and in a page alike. */
export function createServer(given: Gateways): Server {
  const gateways = { ...given, log: safeLog(given.log) }
  const { log, metrics } = gateways
  const app = new Hono<Env>()
  const handlers = handlersOver(gateways)
  const texts = texting(gateways)
  const caller = calls(gateways, texts.send)

  for (const op of Object.keys(endpoints) as Op[]) {
    const endpoint: Endpoint = endpoints[op]
    app.on(endpoint.method, `/api${endpoint.path}`, async (c) => {
      const began = performance.now()
      const id = c.req.param('id') ?? ''
      const address = c.env?.address ?? 'unknown'
      const response = await caller(op, endpoint, handlers[op], c.req.raw, id, address).catch(
        (error: unknown) => failure(error, log, op),
      )
      metrics?.answered(op, response.status, (performance.now() - began) / 1000)
      return response
    })
  }
  const events = eventsRoute(app, gateways)
  photoRoutes(app, gateways)
  healthRoutes(app, gateways)
  // Few ask for it, and the demo's page never does. Made once: it takes longer than any other answer.
  let description: Promise<object> | undefined
  app.get('/api/openapi.json', async () => {
    description ??= import('../routes/openapi.ts').then(({ openApi }) => openApi())
    return json(200, await description)
  })

  const paths = new Set(app.routes.map(({ path }) => path))
  for (const path of paths)
    app.all(path, () => {
      const methods = app.routes.filter((route) => route.path === path && route.method !== 'ALL')
      const allow = [...new Set(methods.map(({ method }) => method))].join(', ')
      return json(405, refusalBody(new Refusal('method-not-allowed')), { allow })
    })
  app.all('*', async (c) => {
    const page = new URL(c.req.url).pathname.startsWith('/api/')
      ? undefined
      : await gateways.pages?.(c.req.raw)
    return page ?? json(404, refusalBody(new Refusal('not-found')))
  })
  app.onError((error) => failure(error, log, 'http'))

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
function texting({ sms, log }: Gateways) {
  const underWay = new Set<Promise<void>>()
  return {
    send(texts: Text[] = []) {
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
