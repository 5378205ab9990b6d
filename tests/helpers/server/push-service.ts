import { createECDH, createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

/* A push service on loopback: it checks what the real ones check, and opens messages as a browser does. */

const require = createRequire(import.meta.url)
/** The decoder of RFC 8188 that web-push itself brings. */
const ece: { decrypt(body: Buffer, how: object): Buffer } = require('http_ece')

export type ReceivedPush = {
  path: string
  headers: IncomingHttpHeaders
  /** The JSON that was encrypted. */
  payload: string
  /** The claims of the VAPID token, whose signature is right. */
  claims: { aud: string; exp: number; sub: string }
}

export type PushService = Awaited<ReturnType<typeof startPushService>>

export async function startPushService() {
  const browsers = new Map<string, { auth: Buffer; ecdh: ReturnType<typeof createECDH> }>()
  const received: ReceivedPush[] = []
  const problems: string[] = []
  /** The status of the next answers, by path; 201 where none is set. */
  const answers = new Map<string, number>()
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    const status = answers.get(path) ?? 201
    try {
      const push = open(path, request.headers, Buffer.concat(chunks))
      if (status < 300) received.push(push)
    } catch (error) {
      problems.push(String(error))
    }
    response.writeHead(status, status === 307 ? { location: `${origin}/elsewhere` } : {}).end()
  })
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  function open(path: string, headers: IncomingHttpHeaders, body: Buffer): ReceivedPush {
    const browser = browsers.get(path)
    if (!browser) throw new Error(`no browser has the address ${path}`)
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('another encoding')
    const payload = ece
      .decrypt(body, {
        version: 'aes128gcm',
        privateKey: browser.ecdh,
        authSecret: browser.auth.toString('base64url'),
      })
      .toString('utf8')
    return { path, headers, payload, claims: claimsOf(headers.authorization ?? '') }
  }

  return {
    origin,
    received,
    problems,
    answers,
    /** A browser that subscribes: what it gives to the server. */
    subscribe(name: string) {
      const ecdh = browsers.get(`/${name}`)?.ecdh ?? newKeys()
      const auth = Buffer.from(name.padEnd(16, '.').slice(0, 16))
      browsers.set(`/${name}`, { auth, ecdh })
      return {
        endpoint: `${origin}/${name}`,
        keys: {
          p256dh: ecdh.getPublicKey().toString('base64url'),
          auth: auth.toString('base64url'),
        },
      }
    },
    close: () =>
      new Promise<void>((closed) => {
        http.close(() => closed())
        http.closeAllConnections()
      }),
  }
}

function newKeys() {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  return ecdh
}

/** The claims of a VAPID header (RFC 8292). Throws when its signature is wrong. */
function claimsOf(authorization: string): ReceivedPush['claims'] {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33, 65).toString('base64url'),
  }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error(`a wrong VAPID signature: ${authorization.slice(0, 40)}`)
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}
