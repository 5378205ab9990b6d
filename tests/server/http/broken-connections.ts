import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { photoForm, picture } from '../../helpers/pictures.ts'
import { type AppServer, admin } from '../../helpers/server/app-server.ts'
import { ask, formBytes } from '../../helpers/server/attacks.ts'

type Moments = {
  /** Shares of the body that are sent first. */
  shares: number[]
  /** Milliseconds until the connection ends. */
  after: number[]
  /** How often 24 uploads are broken off together. */
  uploadRounds: number
}

/** Connections may end at any of these moments; the built server must keep running. */
export function brokenConnections(
  server: () => AppServer,
  { shares, after, uploadRounds }: Moments,
) {
  let token: string
  /** Paths of responses in many chunks: a photo and the app's scripts. */
  let files: string[]
  beforeAll(async () => {
    const { origin } = server()
    const login = await ask(`${origin}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    })
    token = JSON.parse(login.text).token
    const photo = await picture('jpeg', { width: 1_600, height: 1_600, seed: 2 })
    const form = await formBytes(photoForm(photo, 'soma'))
    const upload = await ask(`${origin}/api/images/upload`, { ...form, from: '127.0.1.99' })
    const page = await ask(`${origin}/`)
    const scripts = [...page.text.matchAll(/assets\/[\w.-]+\.js/g)].map(([path]) => `/${path}`)
    expect(scripts).not.toEqual([])
    files = [new URL(JSON.parse(upload.text).secure_url).pathname, ...scripts]
  })

  test('connections that end in the middle of any call leave the server running', async () => {
    for (const share of shares)
      for (const wait of after)
        for (const reset of [true, false]) {
          const end = { share, after: wait, reset }
          const all = requests(files).map((request) => broken(server(), token, request, end))
          await Promise.all(all)
          await expectRunning(server())
        }
  })

  test('uploads that end at any moment leave the server running', async () => {
    const together = await uploads(24)
    for (let round = 0; round < uploadRounds; round++) {
      const end = (at: number): Break => ({
        share: ((at * 7 + round) % 11) / 10,
        after: (at * 3 + round * 5) % 40,
        reset: at % 2 === 0,
        from: `127.0.1.${at + 1}`,
      })
      await Promise.all(together.map((request, at) => broken(server(), token, request, end(at))))
      await expectRunning(server())
    }
  })
}

type Request = { line: string; headers: string[]; body: Buffer }

const id = '018f0000-0000-7000-8000-000000000001'

/** A request to every call and to every other kind of path. */
function requests(files: string[]): Request[] {
  const ofTable = Object.values(endpoints).map(({ method, path }) => ({
    line: `${method} /api${path.replace(/:\w+/, id)}`,
    headers: method === 'GET' ? [] : ['content-type: application/json', `idempotency-key: ${id}`],
    body: Buffer.from(method === 'GET' ? '' : JSON.stringify({ name: 'x'.repeat(300) })),
  }))
  const beside = ['/api/events', '/api/openapi.json', '/', '/demo/', '/healthz', ...files]
  return [
    ...ofTable,
    ...beside.map((path) => ({ line: `GET ${path}`, headers: [], body: Buffer.alloc(0) })),
  ]
}

/** Uploads as the app sends them; every third form has its file under another name. */
async function uploads(count: number): Promise<Request[]> {
  const file = await picture('jpeg', { width: 1_000, height: 1_000, seed: 1 })
  const { headers, body } = await formBytes(photoForm(file, 'soma'))
  const sent = Buffer.from(body ?? '')
  const renamed = Buffer.from(
    sent.toString('latin1').replace('name="file"', 'name="other"'),
    'latin1',
  )
  return Array.from({ length: count }, (_, at) => ({
    line: 'POST /api/images/upload',
    headers: [`content-type: ${String(headers?.['content-type'])}`],
    body: at % 3 === 2 ? renamed : sent,
  }))
}

type Break = {
  share: number
  after: number
  reset: boolean
  /** The local address to connect from, as uploads are limited for each address. */
  from?: string
}

function broken(
  { port }: AppServer,
  token: string,
  request: Request,
  { share, after, reset, from }: Break,
): Promise<void> {
  const head = [
    `${request.line} HTTP/1.1`,
    'host: soma.test',
    `authorization: Bearer ${token}`,
    `content-length: ${request.body.length}`,
    ...request.headers,
  ]
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    socket.on('error', () => undefined)
    socket.on('close', () => done())
    socket.resume()
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.write(request.body.subarray(0, Math.floor(request.body.length * share)), async () => {
      await pause(after)
      if (reset) socket.resetAndDestroy()
      else socket.destroy()
    })
  })
}

async function expectRunning({ origin, lines }: AppServer) {
  const { status } = await ask(`${origin}/healthz`)
  expect(status).toBe(200)
  expect(lines.filter((line) => /uncaught|unhandled/i.test(line))).toEqual([])
}
