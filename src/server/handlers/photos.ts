import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Hono } from 'hono'
import { statusOf } from '#contract/errors.ts'
import { Refusal } from '#domain/errors.ts'
import { readBytes } from '../door.ts'
import type { Gateways } from '../gateways.ts'
import type { Env } from '../http.ts'
import { spend, TooMany } from '../limits.ts'
import { kindOf, typeOf } from '../photo-kinds.ts'
import { readKey } from '../request-keys.ts'
import { refusalBody } from '../responses.ts'

/** Bytes of one photo, and what its envelope may add. */
const mostPhoto = 10_000_000
const mostEnvelope = 100_000

/** Photos that arrive at once: each is held in memory until it is whole. */
const mostAtOnce = 64

/** The app may be open under another name of this server (127.0.0.1, localhost), and photos are for all to see. */
const anyOrigin = { 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }

/**
 * The built-in image provider (interfaces: beside the specification's calls). A photo's name is the
 * hash of its bytes: sending it twice keeps it once, and what has been read never changes.
 */
export function photoRoutes(
  app: Hono<Env>,
  { images, options, repo, secrets, clock, log }: Gateways,
) {
  if (!images) return
  let arriving = 0

  async function keep(request: Request, address: string): Promise<Response> {
    readKey(request.headers.get('idempotency-key'))
    const at = new Date(clock()).toISOString()
    await repo.transaction((stores) => spend(stores, secrets, options.limits.uploads, address, at))
    const { file, preset } = await readForm(request)
    if (preset !== options.imageUploadPreset)
      throw new Refusal('invalid', 'Upload preset not found')
    if (!file) throw new Refusal('invalid', 'Missing required parameter - file')
    if (file.length > mostPhoto) throw new Refusal('too-large')
    const kind = kindOf(file)
    if (!kind) throw new Refusal('not-an-image')
    const name = `${bytesToHex(sha256(file))}.${kind}`
    await images?.put(name, file)
    return told(200, { secure_url: `${options.imageHost}/api/images/${name}` })
  }

  app.post('/api/images/upload', async (c) => {
    if (arriving >= mostAtOnce) return refused(new Refusal('unavailable'))
    arriving++
    try {
      return await keep(c.req.raw, c.env?.address ?? 'unknown')
    } catch (error) {
      if (!(error instanceof Refusal)) log.error({ err: error }, 'A photo was not kept')
      return refused(error instanceof Refusal ? error : new Refusal('internal'))
    } finally {
      arriving--
    }
  })
  // A page under another name asks first whether it may.
  app.options('/api/images/upload', () => {
    const methods = 'POST, OPTIONS'
    const headers = { 'access-control-allow-methods': methods, 'access-control-max-age': '86400' }
    const allowed = {
      'access-control-allow-headers': 'idempotency-key, content-type, authorization',
    }
    return new Response(null, { status: 204, headers: { ...anyOrigin, ...headers, ...allowed } })
  })

  app.get('/api/images/:name', async (c) => {
    const name = c.req.param('name')
    const type = /^[0-9a-f]{64}\.\w{3,4}$/.test(name) ? typeOf(name) : undefined
    const bytes = type && (await images.get(name))
    if (!bytes) {
      const missing = new Refusal('not-found')
      return told(404, refusalBody(missing))
    }
    const etag = `"${name}"`
    const headers = {
      ...anyOrigin,
      ...{ 'content-type': type, etag, 'content-length': `${bytes.length}` },
      'cache-control': 'public, max-age=31536000, immutable',
      // Whatever hides in a photo's bytes: opened by itself, it can do nothing.
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    }
    if (c.req.header('if-none-match') === etag)
      return new Response(null, { status: 304, headers: { ...anyOrigin, etag } })
    return new Response(bytes, { headers })
  })
}

async function readForm(request: Request) {
  const type = request.headers.get('content-type') ?? ''
  const bytes = await readBytes(request, mostPhoto + mostEnvelope)
  const form = await new Response(bytes, { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new Refusal('malformed')
    })
  const file = form.get('file')
  return {
    file: file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : undefined,
    preset: form.get('upload_preset'),
  }
}

const told = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      ...{ ...anyOrigin, 'content-type': 'application/json; charset=utf-8' },
      ...{ 'cache-control': 'no-store', ...headers },
    },
  })

/** Image providers say what went wrong in their own way (spec §7: photo upload). */
function refused(refusal: Refusal) {
  const { message, reason } = refusal
  const headers: Record<string, string> = {}
  if (refusal instanceof TooMany) headers['retry-after'] = `${refusal.retryAfter}`
  else if (reason === 'unavailable') headers['retry-after'] = '2'
  return told(statusOf[reason], { error: { message }, reason }, headers)
}
