import { lstat, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { limitConnections } from '#server/node/listen/listen.ts'
import { photoForm, picture } from '../../../helpers/pictures.ts'
import { admin } from '../../../helpers/server/app-server.ts'
import { ask, formBytes, openStalledReader } from '../../../helpers/server/attacks.ts'
import { processes } from '../../../helpers/server/processes.ts'
import { present } from '../../../helpers/server/server.ts'

/* The built server: headers, addresses, time-outs and file permissions. */

const { started } = processes()

const paths = [
  '/',
  '/send',
  '/sw.js',
  '/nothing.js',
  '/demo/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/openapi.json',
  '/api/nothing',
  `/api/images/${'a'.repeat(64)}.jpg`,
  '/api/events',
  ...Object.values(endpoints).map(({ path }) => `/api${path.replace(/:\w+/, 'x')}`),
]

test('every response has the security headers', async () => {
  for (const [publicOrigin, hsts] of [
    ['https://soma.example', 'max-age=31536000'],
    ['http://soma.example', undefined],
  ] as const) {
    const { server } = await started({ PUBLIC_ORIGIN: publicOrigin })
    for (const path of paths) {
      const { headers } = await ask(server.origin + path)
      expect(headers['strict-transport-security'], path).toBe(hsts)
      expect(headers['x-content-type-options'], path).toBe('nosniff')
      expect(headers['cross-origin-opener-policy'], path).toBe('same-origin')
      expect(headers['referrer-policy'], path).toBe('same-origin')
    }
  }
}, 60_000)

test('other users of the machine cannot read the server’s files', async () => {
  const { server } = await started()
  const form = await formBytes(photoForm(await picture(), 'soma'))
  expect((await ask(`${server.origin}/api/images/upload`, form)).status).toBe(200)
  const secret = await formBytes(photoForm(await picture(), 'soma-id'))
  expect((await ask(`${server.origin}/api/images/upload`, secret)).status).toBe(200)
  const own = present(process.getuid)()
  const found = ['.', ...(await readdir(server.dataDir, { recursive: true }))]
  expect(found.some((path) => path.startsWith('images/private'))).toBe(true)
  for (const path of found) {
    const about = await lstat(join(server.dataDir, path)).catch(() => undefined)
    // PostgreSQL creates and removes files all the time.
    if (!about) continue
    const open = about.mode & 0o077
    // PostgreSQL runs as another user when this runs as root, and must reach its folder.
    const isOnTheWay = path === '.' && own === 0
    expect(isOnTheWay ? open & 0o066 : open, `${path} ${(about.mode & 0o777).toString(8)}`).toBe(0)
  }
}, 60_000)

test('without DEMO the demo’s paths are 404 and do not serve the app', async () => {
  const { server } = await started({ DEMO: 'off' })
  for (const path of ['/demo', '/demo/', '/demo/index.html', '/demo/sw.js', '/demo/delivery/1'])
    expect((await ask(server.origin + path)).status, path).toBe(404)
  expect((await ask(`${server.origin}/`)).status).toBe(200)
  expect((await ask(`${server.origin}/demonstration`)).status).toBe(200)
}, 30_000)

test('metrics are served to loopback and to callers with the token', async () => {
  const plain = (await started()).server
  expect((await ask(`${plain.origin}/metrics`)).status).toBe(200)
  for (const name of [
    'x-forwarded-for',
    'forwarded',
    'via',
    'x-real-ip',
    'x-forwarded-proto',
    'x-forwarded-host',
  ]) {
    const answer = await ask(`${plain.origin}/metrics`, { headers: { [name]: '127.0.0.1' } })
    expect(answer.status, name).toBe(404)
  }
  const token = 'a token for metrics'.replaceAll(' ', '-')
  const { server } = await started({ METRICS_TOKEN: token })
  const status = async (authorization: string, more: Record<string, string> = {}) =>
    (await ask(`${server.origin}/metrics`, { headers: { authorization, ...more } })).status
  for (const wrong of [
    '',
    'Bearer',
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
  ])
    expect(await status(wrong), wrong).toBe(404)
  expect(await status(`Bearer ${token}`)).toBe(200)
  expect(await status(`bearer ${token}`, { 'x-forwarded-for': '203.0.113.5' })).toBe(200)
}, 60_000)

test('X-Forwarded-For counts only when a trusted proxy sends it', async () => {
  /** Uploads a file that is no photo: each counts, and gets 415 until the limit is reached. */
  const upload = async (origin: string, forwarded: string | string[], from = '127.0.0.1') => {
    const form = await formBytes(photoForm(Buffer.from('no photo'), 'soma'))
    const headers = { ...form.headers, 'x-forwarded-for': forwarded }
    return (await ask(`${origin}/api/images/upload`, { ...form, headers, from })).status
  }
  const limits = { LIMITS: '{"uploads":1}' }
  const plain = (await started(limits)).server
  expect(await upload(plain.origin, '203.0.113.1')).toBe(415)
  expect(await upload(plain.origin, '203.0.113.2')).toBe(429)

  const { server } = await started({ ...limits, TRUST_PROXY: '127.0.0.2/32' })
  const { origin } = server
  expect(await upload(origin, '203.0.113.1')).toBe(415)
  expect(await upload(origin, '203.0.113.2')).toBe(429)
  const proxy = '127.0.0.2'
  expect(await upload(origin, '203.0.113.1', proxy)).toBe(415)
  expect(await upload(origin, '203.0.113.2', proxy)).toBe(415)
  expect(await upload(origin, '198.51.100.77, 203.0.113.2', proxy)).toBe(429)
  expect(await upload(origin, ['198.51.100.78', '203.0.113.2'], proxy)).toBe(429)
}, 60_000)

test('the connections of one address are limited', async () => {
  const { createServer } = await import('node:http')
  const http = createServer((_, answer) => answer.end('hello'))
  limitConnections(http, [], 3, () => false)
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  const address = http.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const open = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'))
  const url = `http://127.0.0.1:${port}/`
  const isServed = () =>
    ask(url).then(
      () => true,
      () => false,
    )
  await expect.poll(isServed).toBe(false)
  expect((await ask(url, { from: '127.0.0.5' })).text).toBe('hello')
  open[0]?.destroy()
  await expect.poll(isServed).toBe(true)
  for (const socket of open) socket.destroy()
  await new Promise((closed) => http.close(closed))
}, 30_000)

test('a connection that never completes a request or never reads its response is closed; an event stream is not', async () => {
  const { server, ask: call } = await started({ LIMITS: '{"uploads":1000}' })
  const photo = await picture('jpeg', { width: 1_600, height: 1_600 })
  const form = await formBytes(photoForm(photo, 'soma'))
  const { secure_url } = JSON.parse((await ask(`${server.origin}/api/images/upload`, form)).text)
  const token = present((await call('login', { body: admin })).value).token

  const headers = { authorization: `Bearer ${token}` }
  const news = await fetch(`${server.origin}/api/events`, { headers })
  const heard: string[] = []
  let isListening = true
  void (async () => {
    const decoder = new TextDecoder()
    for await (const piece of present(news.body)) heard.push(decoder.decode(piece))
    isListening = false
  })()

  const reader = openStalledReader(server, new URL(secure_url).pathname, 30)
  const unfinished = connect(server.port, '127.0.0.1')
  const unfinishedBody = connect(server.port, '127.0.0.1')
  const closed = new Set<string>()
  for (const [name, socket] of Object.entries({ reader, unfinished, unfinishedBody })) {
    socket.on('error', () => undefined)
    socket.on('close', () => closed.add(name))
  }
  unfinished.on('data', () => undefined)
  unfinishedBody.on('data', () => undefined)
  unfinished.write('GET / HTTP/1.1\r\nHost: soma.test\r\n')
  unfinishedBody.write('POST /api/login HTTP/1.1\r\nHost: soma.test\r\nContent-Length: 99\r\n\r\n{')
  const dribble = setInterval(() => unfinished.write('X-A: b\r\n'), 1_000)
  // Nothing is read from the socket, so only a failed write shows that it was closed.
  const probe = setInterval(() => reader.write('\r\n'), 1_000)
  await expect
    .poll(() => [...closed].sort(), { timeout: 150_000, interval: 1_000 })
    .toEqual(['reader', 'unfinished', 'unfinishedBody'])
  clearInterval(dribble)
  clearInterval(probe)
  expect(isListening).toBe(true)
  await call('addZone', { token, body: { name: 'Far Away' } })
  await expect.poll(() => heard.join('')).toContain('"about":"zones"')
  await news.body?.cancel().catch(() => undefined)
}, 180_000)
