import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { queryOf, type RawRequest, sha256, signatureError, signedRegion } from './aws-signature.ts'

type StoredObject = {
  body: Buffer
  changedAt: number
  /** `content-type` and what begins with `x-amz-meta-`. */
  headers: Record<string, string>
}

/** A request as the storage got it, before it was checked. */
export type SeenRequest = { method: string; key: string; target: string; isPresigned: boolean }

/** What goes wrong with a request: milliseconds it waits, then an error, or an answer cut in the middle. */
export type Fault = { wait?: number; status?: number; code?: string; isCut?: boolean }

export type ObjectStorage = Awaited<ReturnType<typeof startObjectStorage>>

/**
 * An S3 server in memory with one bucket, as strict as S3: it computes the signature of every request anew
 * and refuses a wrong, old or expired one, a body with another hash than its header says, and another bucket.
 */
export async function startObjectStorage() {
  const settings = {
    endpoint: '',
    bucket: 'soma-photos',
    region: 'eu-west-1',
    accessKey: 'TESTACCESSKEY',
    secretKey: 'test/secret+key',
  }
  const objects = new Map<string, StoredObject>()
  const seen: SeenRequest[] = []
  const storage = {
    settings,
    objects,
    /** Every request, oldest first. */
    seen,
    /** The names of buckets that exist. */
    buckets: new Set([settings.bucket]),
    /** Verbs that the key may use. */
    rights: new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'LIST']),
    /** Decides what goes wrong with a request; `undefined`: nothing. The request waits for a promise. */
    fault: (_: SeenRequest): Fault | undefined | Promise<Fault | undefined> => undefined,
    /** Milliseconds since 1970. */
    clock: Date.now,
    pageSize: 1_000,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  const server = createServer((request, response) => {
    answer(storage, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  settings.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return storage
}

type Storage = Awaited<ReturnType<typeof startObjectStorage>>

type Answer = { status: number; headers?: Record<string, string>; body?: string | Buffer }

async function answer(storage: Storage, request: IncomingMessage, response: ServerResponse) {
  const raw = rawRequest(request)
  const [bucket = '', ...parts] = (raw.target.split('?')[0] ?? '').slice(1).split('/')
  const key = parts.map(decodeURIComponent).join('/')
  const isPresigned = queryOf(raw.target).has('X-Amz-Signature')
  const about = { method: raw.method, key, target: raw.target, isPresigned }
  storage.seen.push(about)
  const body = await bodyOf(request)
  const { wait = 0, status = 500, code, isCut } = (await storage.fault(about)) ?? {}
  if (wait > 0) await pause(wait, undefined, { ref: false })
  const found = code
    ? errorAnswer(status, code)
    : (refusal(storage, raw, bucket, key, body) ?? perform(storage, raw, key, body))
  send(response, raw.method, found, isCut === true)
}

function send(
  response: ServerResponse,
  method: string,
  { status, headers = {}, body = '' }: Answer,
  isCut: boolean,
) {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { 'content-length': `${length}`, ...headers })
  if (!isCut) return response.end(method === 'HEAD' ? undefined : body)
  if (length === 0) return response.destroy()
  // The head and half of the body, then the connection breaks.
  response.write(Buffer.from(body).subarray(0, length / 2), () => response.destroy())
}

/** What is wrong with a request before anything is looked up. */
function refusal(
  { settings, buckets, rights, clock }: Storage,
  raw: RawRequest,
  bucket: string,
  key: string,
  body: Buffer,
): Answer | undefined {
  const error = signatureError(raw, settings, clock())
  if (error) return errorAnswer(403, error)
  if (signedRegion(raw) !== settings.region) return errorAnswer(400, 'AuthorizationHeaderMalformed')
  const hash = raw.headers['x-amz-content-sha256']
  if (hash && hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body))
    return errorAnswer(400, 'XAmzContentSHA256Mismatch')
  if (!buckets.has(bucket)) return errorAnswer(404, 'NoSuchBucket')
  if (!rights.has(key === '' && raw.method === 'GET' ? 'LIST' : raw.method))
    return errorAnswer(403, 'AccessDenied')
  if (raw.method === 'PUT' && raw.headers['content-length'] === undefined)
    return errorAnswer(411, 'MissingContentLength')
  return undefined
}

function perform(storage: Storage, raw: RawRequest, key: string, body: Buffer): Answer {
  const { objects, clock } = storage
  if (key === '' && raw.method === 'GET') return list(storage, queryOf(raw.target))
  const source = raw.headers['x-amz-copy-source']
  if (raw.method === 'PUT' && source !== undefined) {
    const from = objects.get(source.split('/').slice(2).join('/'))
    if (!from) return errorAnswer(404, 'NoSuchKey')
    objects.set(key, { ...from, changedAt: clock() })
    return { status: 200, body: '<CopyObjectResult></CopyObjectResult>' }
  }
  if (raw.method === 'PUT') {
    const kept = Object.entries(raw.headers).filter(([name]) =>
      /^(content-type$|x-amz-meta-)/.test(name),
    )
    objects.set(key, { body, changedAt: clock(), headers: Object.fromEntries(kept) })
    return { status: 200, headers: { etag: etagOf(body) } }
  }
  if (raw.method === 'DELETE') {
    objects.delete(key)
    return { status: 204 }
  }
  const found = objects.get(key)
  if (!found) return errorAnswer(404, 'NoSuchKey')
  return part(found, raw.headers.range)
}

/** The object, or the range of it that was asked for. */
function part({ body, headers }: StoredObject, range: string | undefined): Answer {
  const about = { ...headers, etag: etagOf(body), 'accept-ranges': 'bytes' }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (first === undefined) return { status: 200, headers: about, body }
  const [from, to] = [Number(first), Math.min(Number(last || body.length), body.length - 1)]
  if (from >= body.length) return errorAnswer(416, 'InvalidRange')
  const place = { 'content-range': `bytes ${from}-${to}/${body.length}` }
  return { status: 206, headers: { ...about, ...place }, body: body.subarray(from, to + 1) }
}

/** ListObjectsV2. */
function list({ objects, pageSize }: Storage, query: URLSearchParams): Answer {
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort()
  const page = keys.slice(0, Math.min(pageSize, Number(query.get('max-keys') ?? 1_000)))
  const isTruncated = page.length < keys.length
  const rows = page.map((key) => {
    const { body, changedAt } = objects.get(key) as StoredObject
    const time = new Date(changedAt).toISOString()
    return `<Contents><Key>${escaped(key)}</Key><LastModified>${time}</LastModified><Size>${body.length}</Size></Contents>`
  })
  const next = isTruncated
    ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>`
    : ''
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${rows.join('')}${next}</ListBucketResult>`,
  }
}

const errorAnswer = (status: number, code: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`,
})

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`

const rawRequest = ({ method = '', url = '', headers }: IncomingMessage): RawRequest => ({
  method,
  target: url,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value)]),
  ),
})

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}
