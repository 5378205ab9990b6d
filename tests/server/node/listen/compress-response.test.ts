import { request as send } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acceptedCoding } from '#server/node/listen/compress-response.ts'
import { listen } from '#server/node/listen/listen.ts'
import { freePort } from '../../../helpers/server/app-server.ts'
import { readLines } from '../../../helpers/server/batch.ts'
import { serverFixture } from '../../server-fixture.ts'

const server = await serverFixture()
let port: number
let end: () => Promise<void>
let token: string
beforeAll(async () => {
  port = await freePort()
  const options = { port, host: '127.0.0.1', trustProxy: [], publicOrigin: 'http://soma.test' }
  end = await listen({ fetch: server.fetch, close: async () => undefined }, options)
  token = (await server.admin()).token
  const { delivery } = await server.guestDelivery()
  await server.repo.transaction(async ({ deliveries }) => {
    for (let count = 1; count < 40; count++) await deliveries.add({ ...delivery, ID: v7() })
  })
})
afterAll(() => end())

type Asked = { method?: string; headers?: Record<string, string>; body?: unknown }
type Heard = {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

/** A request over a real connection; the body as it travelled. */
const ask = (path: string, { method = 'GET', headers, body }: Asked = {}): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const all = { authorization: `Bearer ${token}`, ...type, ...headers }
    const request = send({ port, host: '127.0.0.1', path, method, headers: all }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes: Buffer.concat(chunks),
        }),
      )
    })
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })

const list = '/api/admin/deliveries'
const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
const accepting = (text: string) => ({ headers: { 'accept-encoding': text } })

describe.each(['br', 'gzip'] as const)('for a client that takes %s', (coding) => {
  test('R91: a long answer is compressed and says so', async () => {
    const plain = await ask(list)
    const packed = await ask(list, accepting(coding))
    expect(packed.status).toBe(200)
    expect(packed.headers).toMatchObject({
      'content-encoding': coding,
      'content-length': `${packed.bytes.length}`,
      vary: 'accept-encoding',
      'content-type': plain.headers['content-type'],
      'cache-control': 'no-store',
      'x-server-version': plain.headers['x-server-version'],
    })
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5)
    const text = decoders[coding](packed.bytes).toString()
    expect(JSON.parse(text).deliveries).toEqual(JSON.parse(plain.bytes.toString()).deliveries)
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers['content-length']).toBe(`${plain.bytes.length}`)
  })

  test('R91: its ETag gives 304, also to a client that takes another coding', async () => {
    const { headers } = await ask(list, accepting(coding))
    for (const other of ['br', 'gzip', 'identity']) {
      const again = await ask(list, {
        headers: { 'accept-encoding': other, 'if-none-match': `${headers.etag}` },
      })
      expect(again.status).toBe(304)
      expect(again.bytes).toHaveLength(0)
      expect(again.headers['content-encoding']).toBeUndefined()
    }
  })

  test('R91: HEAD has the headers of GET and no body', async () => {
    // A list of deliveries has another cursor each time.
    const [head, get] = [
      await ask('/api/zones', { method: 'HEAD', ...accepting(coding) }),
      await ask('/api/zones', accepting(coding)),
    ]
    expect(get.headers['content-encoding']).toBe(coding)
    expect(head.status).toBe(200)
    expect(head.bytes).toHaveLength(0)
    for (const name of ['content-encoding', 'content-type', 'vary', 'etag', 'content-length'])
      expect(head.headers[name], name).toBe(get.headers[name])
  })

  test('R91: short answers, failures, logins, guest creates, events and batches are not compressed', async () => {
    const guest = server.guestRequest({
      itemDescription: 'x'.repeat(900),
      senderName: 'x'.repeat(190),
    })
    const create = { key: v7(), method: 'POST', path: '/guest/deliveries', body: guest }
    const asked: [string, Asked][] = [
      ['/api/config', {}],
      ['/api/nowhere', {}],
      ['/api/login', { method: 'POST', body: { email: 'x'.repeat(990), password: 'x' } }],
      ['/api/guest/deliveries', { method: 'POST', body: guest }],
      ['/api/batch', { method: 'POST', body: { operations: [create] } }],
    ]
    for (const [path, how] of asked) {
      const answer = await ask(path, { ...how, ...accepting(coding) })
      expect(answer.headers['content-encoding'], path).toBeUndefined()
      if (path === '/api/batch') expect(answer.bytes.toString()).toContain('"status":201')
      else expect(() => JSON.parse(answer.bytes.toString()), path).not.toThrow()
    }
  })
})

test('R91: other methods of paths that read are refused as ever', async () => {
  expect((await ask('/api/zones', { method: 'PUT' })).status).toBe(405)
  expect((await ask('/api/nowhere', { method: 'HEAD' })).status).toBe(404)
})

test('R89: over a real connection each line of a batch arrives by itself', async () => {
  const operations = Array.from({ length: 20 }, () => ({
    key: v7(),
    method: 'POST',
    path: '/guest/deliveries',
    body: server.guestRequest(),
  }))
  const answer = await fetch(`http://127.0.0.1:${port}/api/batch`, {
    method: 'POST',
    headers: { 'accept-encoding': 'br, gzip', 'content-type': 'application/json' },
    body: JSON.stringify({ operations }),
  })
  const [one, two] = answer.body?.tee() ?? []
  const reader = one?.getReader()
  let chunks = 0
  while (!(await reader?.read())?.done) chunks++
  expect(chunks).toBeGreaterThan(2)
  expect(await readLines(new Response(two))).toHaveLength(20)
})

test.each([
  ['', undefined],
  ['identity', undefined],
  ['deflate, zstd', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['GZIP;Q=0.5', 'gzip'],
  ['br;q=0.1, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['br;q=x', undefined],
])('R91: a client that accepts "%s" gets %s', (header, coding) => {
  expect(acceptedCoding(header)).toBe(coding)
})
