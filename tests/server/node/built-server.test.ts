import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { serverHeaders } from '#server/node/listen/server-headers.ts'
import { photoForm, picture } from '../../helpers/pictures.ts'
import { admin } from '../../helpers/server/app-server.ts'
import { ask, formBytes } from '../../helpers/server/attacks.ts'
import { begunLogin } from '../../helpers/server/begun-login.ts'
import { builtServer } from '../../helpers/server/processes.ts'
import { sourcesIn } from '../../helpers/sources/numbered-rules.ts'
import { brokenConnections } from '../http/broken-connections.ts'

/* One built server: its headers, addresses, files, log, connections and stop. */

const metricsToken = 'a-token-for-metrics'
const server = builtServer({
  PUBLIC_ORIGIN: 'https://soma.example',
  DEMO: 'off',
  METRICS_TOKEN: metricsToken,
  TRUST_PROXY: '127.0.0.2/32',
  LIMITS: '{"uploads":1}',
  LOG_LEVEL: 'trace',
})
const status = async (path: string, headers = {}) =>
  (await ask(server().origin + path, { headers })).status

const paths = [
  '/',
  '/send',
  '/sw.js',
  '/nothing.js',
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/openapi.json',
  '/api/nothing',
  `/api/images/${'a'.repeat(64)}.jpg`,
  '/api/events',
  ...Object.values(endpoints).map(({ path }) => `/api${path.replace(/:\w+/, 'x')}`),
]

test('every response has the security headers; over http browsers are not told to use https alone', async () => {
  for (const path of paths)
    expect((await ask(server().origin + path)).headers, path).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
    })
  const http = new Hono().use(serverHeaders('http://soma.example')).get('/', (c) => c.text(''))
  const { headers } = await http.request('/')
  expect(headers.get('strict-transport-security')).toBeNull()
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('the app brings the licence of each package whose code it ships, and of its styles', async () => {
  const answer = await fetch(`${server().origin}/licenses.txt`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; charset=utf-8',
  ])
  const text = await answer.text()
  const named = [...text.matchAll(/^## (\S+) - [\d.]+ \(.+\)$/gm)].map(([, name]) => name)
  const shipped = ['src/app', 'src/store', 'src/sync', 'src/recipient', 'src/domain', 'sw']
    .flatMap((folder) => sourcesIn(folder))
    .flatMap(({ text }) => [...text.matchAll(/^import (?!type)[^;]*? from '([^.#'][^']*)'/gm)])
    .map(([, from = '']) =>
      from
        .split('/')
        .slice(0, from.startsWith('@') ? 2 : 1)
        .join('/'),
    )
    // The build puts the router in the place of its other name, and our tools run before it.
    .map((name) => (name === 'react-router-dom' ? 'react-router' : name))
    .filter((name) => !/^(node:|vite$|workbox-build$)/.test(name))
  expect(new Set(shipped).size).toBeGreaterThan(8)
  expect([...new Set(shipped)].filter((name) => !named.includes(name))).toEqual([])
  expect(text.match(/Permission is hereby granted/g)?.length).toBeGreaterThan(8)
})

test('without DEMO the demo’s paths are 404 and do not serve the app', async () => {
  for (const path of ['/demo', '/demo/', '/demo/index.html', '/demo/sw.js', '/demo/delivery/1'])
    expect(await status(path), path).toBe(404)
  expect(await status('/')).toBe(200)
  expect(await status('/demonstration')).toBe(200)
})

test('with METRICS_TOKEN metrics are served to callers who have it, and to nobody else', async () => {
  const token = metricsToken
  for (const wrong of [
    '',
    'Bearer',
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
  ])
    expect(await status('/metrics', { authorization: wrong }), wrong).toBe(404)
  expect(await status('/metrics', { authorization: `Bearer ${token}` })).toBe(200)
  const forwarded = { authorization: `bearer ${token}`, 'x-forwarded-for': '203.0.113.5' }
  expect(await status('/metrics', forwarded)).toBe(200)
})

test('X-Forwarded-For counts only when a trusted proxy sends it', async () => {
  /** Uploads a file that is no photo: each counts, and gets 415 until the limit is reached. */
  const upload = async (forwarded: string | string[], from: string) => {
    const form = await formBytes(photoForm(Buffer.from('no photo'), 'soma'))
    const headers = { ...form.headers, 'x-forwarded-for': forwarded }
    return (await ask(`${server().origin}/api/images/upload`, { ...form, headers, from })).status
  }
  const proxy = '127.0.0.2'
  expect(await upload('203.0.113.1', '127.0.0.3')).toBe(415)
  expect(await upload('203.0.113.2', '127.0.0.3')).toBe(429)
  expect(await upload('203.0.113.1', proxy)).toBe(415)
  expect(await upload('203.0.113.2', proxy)).toBe(415)
  expect(await upload('198.51.100.77, 203.0.113.2', proxy)).toBe(429)
  expect(await upload(['198.51.100.78', '203.0.113.2'], proxy)).toBe(429)
})

test('other users of the machine cannot read the photos', async () => {
  const { origin, dataDir } = server()
  for (const [preset, from] of [
    ['soma', '127.0.0.4'],
    ['soma-id', '127.0.0.5'],
  ] as const) {
    const form = await formBytes(photoForm(await picture(), preset))
    expect((await ask(`${origin}/api/images/upload`, { ...form, from })).status).toBe(200)
  }
  const found = await readdir(dataDir, { recursive: true })
  expect(found.some((path) => path.startsWith('images/private'))).toBe(true)
  for (const path of found) expect((await lstat(join(dataDir, path))).mode & 0o077, path).toBe(0)
})

test('R50: LOG_LEVEL=trace prints no header, no body and no personal data but the console provider’s SMS', async () => {
  const { origin, lines, smsCode } = server()
  const said: string[] = []
  const send = async (method: string, path: string, body?: unknown, token?: string) => {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'x-secret': 'header secret',
      'idempotency-key': v7(),
    }
    if (token) headers.authorization = `Bearer ${token}`
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(`${origin}/api${path}`, { method, headers, body: text })
    const read = await answer.text()
    said.push(...(read.match(/[ug]_[\w-]{20,}|\b\d{5}\b/g) ?? []))
    return JSON.parse(read)
  }
  const person = {
    name: 'Talkative Person',
    email: 'talkative@mail.test',
    password: 'a secret of my own',
    phone_number: '0241237654',
    role: 'sender',
  }
  const { token } = await send('POST', '/signup', person)
  const code = await smsCode(person.phone_number)
  expect(lines.filter((line) => line.includes(code))).toHaveLength(1)
  await send('POST', '/verify/confirm', { phone_number: person.phone_number, code }, token)
  await send('POST', '/login', { ...person, password: 'a wrong secret' })
  await send('POST', '/login', admin)
  await send('POST', '/guest/deliveries', { itemDescription: 'a secret body' })
  await send('POST', '/login', '{"broken secret')
  await send('GET', '/users/me', undefined, token)
  await send('GET', '/deliveries/secret-id', undefined, token)
  const others = lines.filter((line) => !line.includes('"msg":"SMS"')).join('\n')
  for (const text of [...Object.values(person), admin.password, code, ...said])
    if (text !== 'sender') expect(others).not.toContain(text)
  expect(others).not.toMatch(/secret|authorization|bearer/i)
  // Whoever reaches the service from another machine would wait for an SMS that nobody sends.
  expect(lines.filter((line) => line.includes('SMS ARE NOT'))).toHaveLength(1)
})

describe('Broken connections', () => {
  brokenConnections(server, { shares: [0.5], after: [4], uploadRounds: 1 })
})

/* The last test: the server is gone after it. */
test('on a stop signal the server finishes open requests and exits with 0', async () => {
  const logins = await Promise.all(Array.from({ length: 5 }, () => begunLogin(server())))
  const { origin, stop } = server()
  const code = stop()
  const reach = () =>
    fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => 'no more',
    )
  await expect.poll(reach).toBe('no more')
  expect(await Promise.all(logins.map((finish) => finish()))).toEqual(Array(5).fill(200))
  expect(await code).toBe(0)
})
