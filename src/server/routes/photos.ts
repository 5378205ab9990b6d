import type { Hono } from 'hono'
import { challengeHeader } from '#contract/transport.ts'
import { statusOf } from '#contract/wire-errors.ts'
import { Refusal } from '#domain/errors.ts'
import type { User } from '#domain/users/user.ts'
import { authenticate } from '../http/authenticate.ts'
import { readKey } from '../http/idempotency/idempotency.ts'
import { type Env, requestLog } from '../http/request-log.ts'
import { errorResponse, refusalBody } from '../http/responses.ts'
import { challenges } from '../limits/challenges.ts'
import { TooManyAttempts } from '../limits/rate-limits.ts'
import { DiskFull, photoIntake } from '../photos/intake.ts'
import { contentTypeOf } from '../ports/photos/image-type.ts'
import { isDrawingName, isPhotoName } from '../ports/photos/photo-names.ts'
import { StorageUnavailable } from '../ports/photos/storage-problem.ts'
import type { Ports, StoredImage } from '../ports/ports.ts'

/** The app may be open under another name of this server (127.0.0.1, localhost), and public photos are public. */
const anyOrigin = { 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }

const publicHeaders = {
  ...anyOrigin,
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'cross-origin',
}

const unknownType = 'application/octet-stream'

/** A photo that is opened as a page must run no script, whatever its bytes. */
const photoPolicy = "default-src 'none'; sandbox"

/**
 * The built-in image provider: stores uploads, serves public photos to everybody and private ones to
 * admins (R55). Adds no routes when another provider keeps the photos.
 */
export function photoRoutes(app: Hono<Env>, ports: Ports) {
  const { images, uploads, repo, log } = ports
  if (!images || !uploads) return
  const take = photoIntake(ports, images, uploads)
  const proofs = challenges(ports)

  app.post('/api/images/upload', async (c) => {
    const address = c.env?.address ?? 'unknown'
    try {
      readKey(c.req.header('idempotency-key') ?? null)
      const { headers } = c.req.raw
      const { actor } = await authenticate(ports, headers.get('authorization'))
      const solved = await proofs.check(headers.get(challengeHeader), address)
      const url = await take(c.req.raw, { address, actor, solved })
      return respond(200, { secure_url: url })
    } catch (error) {
      await proofs.attach(error, address)
      if (error instanceof StorageUnavailable)
        requestLog(log, c).warn(
          { err: error.cause },
          `An upload was answered with 503. ${error.problem.line}`,
        )
      if (error instanceof Refusal) {
        c.set('refusal', error)
        return refusedUpload(error)
      }
      requestLog(log, c).error({ err: error }, 'An upload failed and was answered with 500')
      return refusedUpload(new Refusal('internal'))
    }
  })

  // The preflight request of a page on another origin.
  app.options('/api/images/upload', () => {
    const headers = {
      ...anyOrigin,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': `idempotency-key, x-request-id, content-type, authorization, ${challengeHeader}`,
      'access-control-max-age': '86400',
    }
    return new Response(null, { status: 204, headers })
  })

  app.get('/api/images/:name', async (c) => {
    try {
      const name = c.req.param('name')
      if (!isPhotoName(name) && !(images.holdsDrawings && isDrawingName(name))) return missing()
      const row = await repo.read(({ photos }) => photos.get(name))
      if (!row?.isPrivate) return await publicPhoto(name, c.req.header('if-none-match'))
      const address = c.env?.address ?? 'unknown'
      return await privatePhoto(name, c.req.header('authorization') ?? null, address)
    } catch (error) {
      return errorResponse(error, requestLog(log, c), 'photo')
    }
  })

  app.get('/api/images/thumbnails/:name', async (c) => {
    try {
      const name = c.req.param('name')
      if (!isPhotoName(name) || !images.thumbnail) return missing()
      const row = await repo.read(({ photos }) => photos.get(name))
      // A private photo has none, whoever asks (R55).
      if (row?.isPrivate) return missing()
      const etag = `"${name} thumbnail"`
      if (c.req.header('if-none-match') === etag)
        return new Response(null, { status: 304, headers: { ...publicHeaders, etag } })
      const found = await images.thumbnail(name)
      return found ? photoResponse('image/webp', found, { ...publicHeaders, etag }) : missing()
    } catch (error) {
      return errorResponse(error, requestLog(log, c), 'photo')
    }
  })

  async function publicPhoto(name: string, heldTag: string | undefined): Promise<Response> {
    const photo = await images?.open(name)
    if (!photo) return missing()
    const etag = `"${name}"`
    if (heldTag === etag)
      return new Response(null, { status: 304, headers: { ...anyOrigin, etag } })
    return photoResponse(typeOf(name), photo, { ...publicHeaders, etag })
  }

  /** For admins alone (R55). Everybody else gets 404, as for a photo that does not exist. */
  async function privatePhoto(name: string, authorization: string | null, address: string) {
    const { actor } = await authenticate(ports, authorization)
    if (!actor || !('user' in actor) || actor.user.role !== 'admin') return missing()
    const photo = await images?.open(name, true)
    if (!photo) return missing()
    await recordView(ports, actor.user, name, address)
    return photoResponse(typeOf(name), photo, {
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
  }
}

/** Records who looks at an ID photo. It runs before the photo is sent: an unrecorded view is refused. */
async function recordView(
  { repo, secrets, clock }: Ports,
  by: User,
  name: string,
  address: string,
) {
  const at = new Date(clock()).toISOString()
  await repo.transaction(async ({ applications, audit }) => {
    const owners = await applications.ownersOfPhoto(name)
    await audit.add({
      ID: secrets.id(),
      At: at,
      Actor: by.ID,
      Action: 'viewIdPhoto',
      Subject: [...owners, name].join(' '),
      Address: address,
    })
  })
}

const typeOf = (name: string): string =>
  isDrawingName(name) ? 'image/svg+xml' : (contentTypeOf(name) ?? unknownType)

const photoResponse = (type: string, photo: StoredImage, headers: Record<string, string>) =>
  new Response(photo.stream(), {
    headers: {
      ...headers,
      'content-type': type,
      'content-length': `${photo.size}`,
      'content-security-policy': photoPolicy,
    },
  })

const missing = () => respond(404, refusalBody(new Refusal('not-found')))

const respond = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      ...anyOrigin,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    },
  })

/** A refused upload in the form of image providers: the message is nested, unlike in the API's own refusals. */
function refusedUpload(refusal: Refusal) {
  const { message, reason } = refusal
  const headers: Record<string, string> = {}
  if (
    refusal instanceof TooManyAttempts ||
    refusal instanceof DiskFull ||
    refusal instanceof StorageUnavailable
  )
    headers['retry-after'] = `${refusal.retryAfter}`
  else if (reason === 'unavailable') headers['retry-after'] = '2'
  const { error: _, ...more } = refusalBody(refusal)
  return respond(statusOf[reason], { error: { message }, ...more }, headers)
}
