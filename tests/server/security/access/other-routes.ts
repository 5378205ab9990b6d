import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Metrics } from '#server/ports/ports.ts'
import { imageHost, present } from '../../../helpers/server/server.ts'
import { type AccessFixture, type Role, roles, targetOf } from '../access-fixture.ts'
import { formWithPhoto } from '../photo-uploads.ts'
import { cellsOf, type Row } from './access-rows.ts'
import { leaksIn, ownToken, secretsOf } from './visible-fields.ts'

export const metrics: Metrics = {
  answered: () => undefined,
  streams: () => undefined,
  uploads: () => undefined,
  batch: () => undefined,
  queueReported: () => undefined,
  backups: () => undefined,
  state: () => undefined,
  text: async () => ({ type: 'text/plain', body: 'soma_requests_total 1\n' }),
}

const anyone: Row = '200 200  200 200  200 200 200  200 200 200 200 200 200  200'
const people: Row = '401 401  401 401  200 200 200  200 200 200 200 200 200  200'
const nobody: Row = anyone.replaceAll('200', '404')
const admins: Row = '404 404  404 404  404 404 404  404 404 404 404 404 404  200'

type Probe = {
  name?: string
  method?: string
  path: (fixture: AccessFixture) => string
  body?: (fixture: AccessFixture) => FormData | string
  address?: string
  headers?: Record<string, string>
  row: Row
}

/** An operation on a row of another: its line shows nothing of it. */
const someBatch = (fixture: AccessFixture) => {
  const { id } = targetOf(fixture, 'account', 'Delivered')
  const operation = {
    key: v7(),
    method: 'PATCH',
    path: `/deliveries/${id}/status`,
    body: { status: 'Approved' },
  }
  return JSON.stringify({ operations: [operation] })
}

/** Probes by the path as the server declares it. */
const routes: Record<string, Probe[]> = {
  '/api/batch': [
    { method: 'POST', path: () => '/api/batch', body: someBatch, row: anyone },
    {
      name: 'malformed',
      method: 'POST',
      path: () => '/api/batch',
      body: () => '{"operations":[]}',
      row: anyone.replaceAll('200', '400'),
    },
  ],
  // No provider is connected here.
  '/api/payments/paystack/webhook': [
    {
      method: 'POST',
      path: () => '/api/payments/paystack/webhook',
      body: () => '{}',
      row: nobody,
    },
  ],
  '/api/events': [
    { path: () => '/api/events', row: people.replace('401 401  401 401', '401 401  200 200') },
  ],
  '/api/images/upload': [
    {
      method: 'POST',
      path: () => '/api/images/upload',
      body: () => formWithPhoto('soma'),
      row: anyone,
    },
    {
      name: 'preflight',
      method: 'OPTIONS',
      path: () => '/api/images/upload',
      row: anyone.replaceAll('200', '204'),
    },
  ],
  '/api/images/:name': [
    { name: 'public', path: ({ publicPhoto }) => publicPhoto, row: anyone },
    { name: 'private', path: ({ privatePhoto }) => present(privatePhoto), row: admins },
    { name: 'of nobody', path: () => `/api/images/${'0'.repeat(64)}.jpg`, row: nobody },
    { name: 'outside the folder', path: () => '/api/images/..%2f..%2fpostgres.json', row: nobody },
  ],
  '/api/images/thumbnails/:name': [
    {
      name: 'public',
      path: ({ publicPhoto }) => publicPhoto.replace('/images/', '/images/thumbnails/'),
      row: anyone,
    },
    {
      name: 'private',
      path: ({ privatePhoto }) => present(privatePhoto).replace('/images/', '/images/thumbnails/'),
      row: nobody,
    },
    {
      name: 'outside the folder',
      path: () => '/api/images/thumbnails/..%2f..%2fpostgres.json',
      row: nobody,
    },
  ],
  // Of the built app, which these tests are without.
  '/share': [{ method: 'POST', path: () => '/share', row: nobody }],
  '/healthz': [{ path: () => '/healthz', row: anyone }],
  '/readyz': [{ path: () => '/readyz', row: anyone }],
  '/metrics': [
    { name: 'from this machine', path: () => '/metrics', row: anyone },
    { name: 'from elsewhere', path: () => '/metrics', address: '203.0.113.9', row: nobody },
    ...[
      'x-forwarded-for',
      'forwarded',
      'via',
      'x-real-ip',
      'x-forwarded-proto',
      'x-forwarded-host',
    ].map((name) => ({
      name: `through a proxy that sends ${name}`,
      path: () => '/metrics',
      headers: { [name]: '127.0.0.1' },
      row: nobody,
    })),
  ],
  '/api/openapi.json': [{ path: () => '/api/openapi.json', row: anyone }],
}

/** Every route outside the table of calls, by its method and its path as the server declares it. */
export const otherRoutes = Object.entries(routes).flatMap(([path, probes]) =>
  [...new Set(probes.map(({ method = 'GET' }) => method))].map((method) => ({ method, path })),
)

/** Routes outside the table of calls: their response to each role, and that it shows no personal data. */
export function otherRouteTests(fixture: () => AccessFixture) {
  let secrets: ReturnType<typeof secretsOf>
  beforeAll(() => {
    secrets = secretsOf(fixture())
  })

  test('every route outside the table of calls has a row', () => {
    const folder = join(import.meta.dirname, '../../../../src/server')
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
    const declared = sources.flatMap((source) =>
      [
        ...source.matchAll(/\bapp\.(?:get|post|put|patch|delete|options|on|all)\(\s*'([^']+)'/g),
      ].map(([, path]) => path),
    )
    const paths = new Set(declared.filter((path) => path !== '*' && path !== 'ALL'))
    expect([...paths].sort()).toEqual(Object.keys(routes).sort())
  })

  async function outcome({ path, method = 'GET', body, address, headers }: Probe, role: Role) {
    const token = ownToken(fixture(), role)
    const all = new Headers(headers)
    const sent = body?.(fixture())
    if (typeof sent === 'string') all.set('content-type', 'application/json')
    if (token) all.set('authorization', `Bearer ${token}`)
    const request = new Request(new URL(path(fixture()), imageHost), {
      method,
      headers: all,
      body: sent,
    })
    const response = await fixture().server.fetch(request, { address: address ?? '127.0.0.1' })
    const answer = await firstOf(response)
    const leaks = leaksIn(fixture(), secrets, { token, asked: '', answer })
    return { status: `${response.status}`, leaks }
  }

  describe.each(Object.entries(routes))('%s', (_, probes) => {
    test.each(probes.map((probe) => [probe.name ?? 'itself', probe] as const))(
      'responds to each role as its row says: %s',
      async (_, probe) => {
        const actual: Partial<Record<Role, string>> = {}
        const leaks: string[] = []
        for (const role of roles) {
          const found = await outcome(probe, role)
          actual[role] = found.status
          leaks.push(...found.leaks.map((leak) => `${role} is told ${leak}`))
        }
        expect({ answers: actual, leaks }).toEqual({
          answers: cellsOf(probe.row, roles),
          leaks: [],
        })
      },
    )
  })

  test('an unknown path is 404 for every role', async () => {
    for (const role of roles)
      for (const path of ['/api', '/api/', '/api/nowhere', '/admin.json', '/.env', '//api/zones'])
        expect((await outcome({ path: () => path, row: nobody }, role)).status).toBe('404')
  })
}

/** The body; of an open stream its beginning. */
async function firstOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.includes('event-stream')) return response.text()
  const reader = present(response.body).getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}
