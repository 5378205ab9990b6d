import type { Hono } from 'hono'
import type { Env } from '../http/request-log.ts'
import { jsonResponse } from '../http/responses.ts'
import type { Ports } from '../ports/ports.ts'
import type { DiskWatch } from './disk-watch.ts'
import type { ServiceStatus } from './readiness.ts'

/**
 * Routes for the operator: `/healthz` (the process runs), `/readyz` (it can serve; else 503, and which check
 * fails) and `/metrics`. The last two are loaded on demand: the demo's page never asks for them. Returns what
 * checks as `/readyz` does.
 */
export function healthRoutes(
  app: Hono<Env>,
  ports: Ports,
  disk: DiskWatch,
  isStopping: () => boolean,
): () => Promise<ServiceStatus> {
  let responses: ReturnType<typeof loadRoutes> | undefined
  const loaded = () => {
    responses ??= loadRoutes(ports, disk, isStopping)
    return responses
  }
  app.get('/healthz', () => jsonResponse(200, { status: 'ok' }))
  app.get('/readyz', async () => (await loaded()).ready())
  app.get('/metrics', async (c) => (await loaded()).metrics(c.req.raw.headers, c.env?.address))
  return async () => (await loaded()).check()
}

async function loadRoutes(ports: Ports, disk: DiskWatch, isStopping: () => boolean) {
  const { operatorResponses } = await import('./operator-responses.ts')
  return operatorResponses(ports, disk, isStopping)
}
