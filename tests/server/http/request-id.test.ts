import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { isUuid } from '#server/http/idempotency/idempotency.ts'
import { serverFixture } from '../server-fixture.ts'

const server = await serverFixture()

const idOf = (response: Response) => response.headers.get('x-request-id') ?? ''

test('every response has a request ID: of the API, of an unknown path, of a wrong method', async () => {
  const answers = [
    await server.raw('GET', '/zones'),
    await server.raw('POST', '/login', { body: '{' }),
    await server.raw('GET', '/nothing'),
    await server.raw('DELETE', '/zones'),
    await server.raw('GET', '/events'),
    await server.raw('POST', '/images/upload'),
  ]
  const ids = answers.map(idOf)
  for (const id of ids) expect(isUuid(id), id).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a caller’s request ID is used only when it is a UUID', async () => {
  const own = v7()
  const ask = async (id: string) =>
    idOf(await server.raw('GET', '/zones', { headers: { 'x-request-id': id } }))
  expect(await ask(own)).toBe(own)
  expect(await ask(own.toUpperCase())).toBe(own)
  for (const other of ['', 'abc', `${own}0`, 'code-48213', '0244123456'])
    expect(await ask(other)).not.toBe(other)
})

test('a page on another origin may send its request ID with an upload', async () => {
  const preflight = await server.raw('OPTIONS', '/images/upload')
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-request-id')
})

test('the log line of a failed request names its ID, method and route pattern', async () => {
  const { repo } = server.ports
  const { read } = repo
  const headers = { 'x-request-id': v7() }
  repo.read = async () => {
    throw new Error('broken')
  }
  const response = await server.raw('GET', `/zones`, { headers })
  repo.read = read
  expect(response.status).toBe(500)
  expect(server.logged.at(-1)).toContain(
    `"request":"${headers['x-request-id']}","method":"GET","route":"/api/zones"`,
  )
})
