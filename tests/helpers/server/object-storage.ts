import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { sha256 } from '#server/photos/object-storage/bucket.ts'

type StoredObject = {
  body: Buffer
  changedAt: number
  /** `content-type` and what begins with `x-amz-meta-`. */
  headers: Record<string, string>
}

/** A request as the storage got it, before it was checked. */
export type SeenRequest = { method: string; key: string }

/** What goes wrong with a request: milliseconds it waits, then an error, or an answer cut in the middle. */
export type Fault = { wait?: number; status?: number; code?: string; isCut?: boolean }

export type ObjectStorage = Awaited<ReturnType<typeof startObjectStorage>>

/**
 * An S3 server in memory with one bucket. It refuses other buckets, keys and regions, and a body with another
 * hash than was signed. Signatures it does not check.
 */
export async function startObjectStorage() {
  const settings = {
    endpoint: '',
    bucket: 'soma-photos',
    region: 'eu-west-1',
    accessKey: 'TESTACCESSKEY',
    secretKey: 'test/secret+key',
  }
  const storage = {
    settings,
    objects: new Map<string, StoredObject>(),
    /** Every request, oldest first. */
    seen: [] as SeenRequest[],
    /** The names of buckets that exist. */
    buckets: new Set([settings.bucket]),
    /** Verbs that the key may use. */
    rights: new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'LIST']),
    /** Decides what goes wrong with a request; `undefined`: nothing. The request waits for a promise. */
    fault: (_: SeenRequest): Fault | undefined | Promise<Fault | undefined> => undefined,
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

type Answer = { status: number; headers?: Record<string, string>; body?: string | Buffer }

async function answer(storage: ObjectStorage, request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? '', storage.settings.endpoint)
  const [bucket = '', ...parts] = pathname.slice(1).split('/')
  const about = { method: request.method ?? '', key: parts.map(decodeURIComponent).join('/') }
  storage.seen.push(about)
  const body = await buffer(request)
  const { wait = 0, status = 500, code, isCut } = (await storage.fault(about)) ?? {}
  if (wait > 0) await pause(wait, undefined, { ref: false })
  const found = code
    ? failed(status, code)
    : (refusal(storage, request, bucket, about.key, body) ??
      perform(storage, request, about.key, body, searchParams))
  const { headers, body: sent = '' } = found
  const length = Buffer.byteLength(sent)
  response.writeHead(found.status, { 'content-length': `${length}`, ...headers })
  if (!isCut) response.end(request.method === 'HEAD' ? undefined : sent)
  else if (length === 0) response.destroy()
  // The head and half of the body, then the connection breaks.
  else response.write(Buffer.from(sent).subarray(0, length / 2), () => response.destroy())
}

/** What is wrong with a request before anything is looked up. */
function refusal(
  { settings, buckets, rights }: ObjectStorage,
  { method = '', headers }: IncomingMessage,
  bucket: string,
  key: string,
  body: Buffer,
): Answer | undefined {
  const [, accessKey, region] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\//.exec(headers.authorization ?? '') ?? []
  if (accessKey === undefined) return failed(403, 'AccessDenied')
  if (accessKey !== settings.accessKey) return failed(403, 'InvalidAccessKeyId')
  if (region !== settings.region) return failed(400, 'AuthorizationHeaderMalformed')
  if (headers['x-amz-content-sha256'] !== sha256(body))
    return failed(400, 'XAmzContentSHA256Mismatch')
  if (!buckets.has(bucket)) return failed(404, 'NoSuchBucket')
  if (!rights.has(key === '' ? 'LIST' : method)) return failed(403, 'AccessDenied')
  return undefined
}

function perform(
  storage: ObjectStorage,
  { method, headers }: IncomingMessage,
  key: string,
  body: Buffer,
  query: URLSearchParams,
): Answer {
  const { objects } = storage
  if (key === '') return list(storage, query)
  if (method === 'PUT') {
    const source = headers['x-amz-copy-source']
    const from = source && objects.get(String(source).split('/').slice(1).join('/'))
    if (source && !from) return failed(404, 'NoSuchKey')
    const kept = Object.entries(headers).filter(([name]) =>
      /^(content-type$|x-amz-meta-)/.test(name),
    )
    const stored = from || { body, headers: Object.fromEntries(kept) as Record<string, string> }
    objects.set(key, { ...stored, changedAt: Date.now() })
    return { status: 200, body: source && '<CopyObjectResult></CopyObjectResult>' }
  }
  if (method === 'DELETE') {
    objects.delete(key)
    return { status: 204 }
  }
  const found = objects.get(key)
  return found ? part(found, headers.range) : failed(404, 'NoSuchKey')
}

/** The object, or the range of it that was asked for. */
function part({ body, headers }: StoredObject, range: string | undefined): Answer {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (first === undefined) return { status: 200, headers, body }
  const [from, to] = [Number(first), Math.min(Number(last), body.length - 1)]
  if (from >= body.length) return failed(416, 'InvalidRange')
  const place = { 'content-range': `bytes ${from}-${to}/${body.length}` }
  return { status: 206, headers: { ...headers, ...place }, body: body.subarray(from, to + 1) }
}

/** ListObjectsV2. */
function list({ objects, pageSize }: ObjectStorage, query: URLSearchParams): Answer {
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort()
  const page = keys.slice(0, Math.min(pageSize, Number(query.get('max-keys'))))
  const rows = page.map((key) => {
    const time = new Date(objects.get(key)?.changedAt ?? 0).toISOString()
    return `<Contents><Key>${escaped(key)}</Key><LastModified>${time}</LastModified></Contents>`
  })
  const next = `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>`
  return xml(
    200,
    `<ListBucketResult>${rows.join('')}${page.length < keys.length ? next : ''}</ListBucketResult>`,
  )
}

const failed = (status: number, code: string): Answer =>
  xml(status, `<Error><Code>${code}</Code><Message>No.</Message></Error>`)

const xml = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?>${body}`,
})

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
