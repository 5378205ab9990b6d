import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { present } from '../../helpers/present.ts'
import { otherRoutes } from '../security/access/other-routes.ts'
import { serverFixture } from '../server-fixture.ts'

const server = await serverFixture({ pages: async () => new Response('page') })

type Operation = {
  operationId: string
  security: object[]
  'x-by': string
  responses: object
}
type PathItem = Record<string, Operation> & { servers?: { url: string }[] }
let paths: Record<string, PathItem>
beforeAll(async () => {
  paths = (await (await server.raw('GET', '/openapi.json')).json()).paths
})

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options']
/** Every operation of the document, with its path from the root as the server declares it. */
const operations = () =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      const whole = (item.servers ? '' : '/api') + path.replace(/\{(\w+)\}/g, ':$1')
      return operation ? [{ method: method.toUpperCase(), path: whole, operation }] : []
    }),
  )

const send = (method: string, path: string) => {
  const url = `http://soma.test${path.replace(/:code/, 'K7QX2MPD').replace(/:\w+/, v7())}`
  return server.fetch(new Request(url, { method }), { address: '127.0.0.1' })
}

test('the OpenAPI document names every route for clients and no other', () => {
  const declared = [
    ...Object.values(endpoints).map(({ method, path }: Endpoint) => `${method} /api${path}`),
    // The payment provider's own route is for no client.
    ...otherRoutes
      .filter(({ path }) => path !== '/api/payments/paystack/webhook')
      .map(({ method, path }) => `${method} ${path}`),
  ]
  const named = operations().map(({ method, path }) => `${method} ${path}`)
  expect(named.sort()).toEqual(declared.sort())
})

test('the router takes exactly the methods that the OpenAPI document names of each path', async () => {
  for (const path of new Set(operations().map((each) => each.path))) {
    // Pages are asked for what no route takes.
    if (path === '/share') continue
    const answer = await send('PROPFIND', path)
    const named = operations().filter((each) => each.path === path)
    const allowed = present(answer.headers.get('allow')).split(', ')
    expect([path, answer.status, allowed.sort()]).toEqual([
      path,
      405,
      named.map(({ method }) => method).sort(),
    ])
  }
})

test('without a token a call is refused exactly where the OpenAPI document asks for one', async () => {
  for (const { method, path, operation } of operations()) {
    const answer = await send(method, path)
    const needsToken =
      operation.security.length > 0 && operation.security.every((way) => 'token' in way)
    expect([operation.operationId, answer.status === 401]).toEqual([
      operation.operationId,
      needsToken,
    ])
    await answer.body?.cancel()
  }
})

test('the OpenAPI document says who may make each call, and names each operation once', () => {
  for (const [op, { method, path, access }] of Object.entries(endpoints) as [string, Endpoint][]) {
    const operation = paths[path.replace(/:(\w+)/, '{$1}')]?.[method.toLowerCase()]
    expect([op, operation?.operationId, operation?.['x-by']]).toEqual([op, op, access])
  }
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('R124: the OpenAPI document names the answer to what a driver reports after a cancel', () => {
  const late = operations().filter(({ operation }) => '202' in operation.responses)
  const ids = late.map(({ operation }) => operation.operationId)
  expect(ids.sort()).toEqual(['changeStatus', 'completeDelivery'])
})
