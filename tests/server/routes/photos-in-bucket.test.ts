import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '#server/photos/object-storage/bucket.ts'
import type { Patience } from '#server/photos/object-storage/client.ts'
import { decodingUploads, photoForm, picture } from '../../helpers/pictures.ts'
import { photosInBucket, shortHealthTimes, shortPatience } from '../../helpers/server/bucket.ts'
import { type Fault, startObjectStorage } from '../../helpers/server/object-storage.ts'
import {
  type Person,
  present,
  startTestServer,
  type TestServer,
} from '../../helpers/server/server.ts'

/* Photos in an object storage, as callers of the server see them. */

const storage = await startObjectStorage()
const start = (patience?: Patience) =>
  startTestServer(undefined, {
    ...decodingUploads(),
    images: photosInBucket(storage, { patience, healthTimes: shortHealthTimes }),
  })
let server: TestServer
let admin: Person
beforeAll(async () => {
  server = await start()
  admin = await server.admin()
})
afterAll(async () => {
  await server.close()
  await storage.close()
})
afterEach(async () => {
  storage.fault = () => undefined
  storage.buckets.add(storage.settings.bucket)
  await expect.poll(ready).toEqual([200, { status: 'ready', uploads: 'ready' }])
})

async function ready(): Promise<[number, { status: string; uploads: string }]> {
  const answer = await server.fetch(new Request('http://soma.test/readyz'))
  const { status, uploads } = await answer.json()
  return [answer.status, { status, uploads }]
}

let seed = 900
const newPicture = () => picture('jpeg', { width: 900, height: 700, seed: seed++ })
const upload = (file: Buffer, preset = 'soma', address = `10.9.${seed}.1`) =>
  server.raw('POST', '/images/upload', { body: photoForm(file, preset), address })
async function pathOf(answer: Response): Promise<string> {
  expect(answer.status).toBe(200)
  return new URL((await answer.json()).secure_url).pathname.replace('/api', '')
}
const statusOf = async (path: string, token?: string) =>
  (await server.raw('GET', path, { token })).status

describe('a photo in the bucket', () => {
  test('R66: is acknowledged once it is there, and served from there by the server itself', async () => {
    const path = await pathOf(await upload(await newPicture()))
    const name = path.replace('/images/', '')
    const kept = storage.objects.get(`photos/${name}`)
    expect(kept?.headers['content-type']).toBe('image/jpeg')
    const answer = await server.raw('GET', path)
    expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(sha256(present(kept).body))
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': `${kept?.body.length}`,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: `"${name}"`,
    })
    expect(answer.headers.get('location')).toBeNull()
    const headers = { 'if-none-match': `"${name}"` }
    expect((await server.raw('GET', path, { headers })).status).toBe(304)
    // Nobody reads the bucket without the key.
    const { endpoint, bucket } = storage.settings
    expect((await fetch(`${endpoint}/${bucket}/photos/${name}`)).status).toBe(403)
  })

  test('has the type of its name, whatever the bucket says', async () => {
    const path = await pathOf(await upload(await newPicture()))
    const kept = storage.objects.get(path.replace('/images/', 'photos/'))
    Object.assign(kept?.headers ?? {}, { 'content-type': 'text/html', 'x-amz-meta-a': '<script>' })
    const answer = await server.raw('GET', path)
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-amz'))).toEqual([])
  })

  test('that is large is read in chunks, and a reader that stops holds no connection to the bucket', async () => {
    const name = `${'ab'.repeat(32)}.jpg`
    const large = Buffer.alloc(3_000_000, 'photo')
    await server.ports.images?.put(name, large)
    storage.seen.length = 0
    const answer = await server.raw('GET', `/images/${name}`)
    const reader = answer.body?.getReader()
    const pieces = [(await reader?.read())?.value ?? new Uint8Array()]
    expect(storage.seen).toHaveLength(1)
    // One chunk comes in two tries; the reader notices nothing.
    let isCut = false
    storage.fault = () => {
      const fault = isCut ? undefined : { isCut: true }
      isCut = true
      return fault
    }
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      pieces.push(next.value)
    expect(Buffer.concat(pieces).equals(large)).toBe(true)
    expect(storage.seen).toHaveLength(Math.ceil(large.length / (256 * 1024)) + 1)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024)
  })

  test('R55: of an ID is read by the server itself, whose credentials leave it for nobody', async () => {
    const path = await pathOf(await upload(await newPicture(), 'soma-id'))
    const name = path.replace('/images/', '')
    storage.seen.length = 0
    for (const token of [undefined, 'x'.repeat(43), (await server.sender()).token])
      for (const way of [path, `/images/thumbnails/${name}`, `/images/private%2f${name}`])
        expect(await statusOf(way, token)).toBe(404)
    expect(storage.seen).toEqual([])
    const answer = await server.raw('GET', path, { token: admin.token })
    expect(answer.status).toBe(200)
    const kept = present(storage.objects.get(`private/${name}`))
    expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(sha256(kept.body))
    expect([...answer.headers.keys()]).not.toContain('location')
    expect(JSON.stringify([...answer.headers])).not.toMatch(/x-amz|TESTACCESSKEY/i)
    expect(new Set(storage.seen.map(({ key }) => key))).toEqual(new Set([`private/${name}`]))
  })

  test.each([
    '..%2fprivate%2fx.jpg',
    `..%2fprivate%2f${'ab'.repeat(32)}.jpg`,
    `${'ab'.repeat(32)}.jpg%3facl`,
    `thumbnails%2f${'ab'.repeat(32)}.jpg.webp`,
    'probe',
    '%2e%2e',
  ])('R55: has no name like "%s"', async (name) => {
    storage.seen.length = 0
    for (const way of [`/images/${name}`, `/images/thumbnails/${name}`])
      expect(await statusOf(way, admin.token)).toBe(404)
    expect(storage.seen).toEqual([])
  })
})

const faults: [string, Fault][] = [
  ['breaks connections', { isCut: true, status: 500, code: 'X' }],
  ['refuses the key', { status: 403, code: 'InvalidAccessKeyId' }],
]

describe.each(faults)('while the object storage %s', (_, fault) => {
  const isPermanent = fault.status === 403

  test('R66: no upload is acknowledged, photos are not said to be missing, and all is well afterwards', async () => {
    const [there, files] = [
      await upload(await newPicture()),
      [await newPicture(), await newPicture()],
    ]
    const path = await pathOf(there)
    storage.fault = () => fault
    for (const [at, preset] of ['soma', 'soma-id'].entries()) {
      const refused = await upload(files[at] as Buffer, preset)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '15'])
      const { reason, secure_url } = await refused.json()
      expect([reason, secure_url]).toEqual(['unavailable', undefined])
    }
    for (const way of [path, path.replace('/images/', '/images/thumbnails/')]) {
      const answer = await server.raw('GET', way)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    const [status, body] = await ready()
    expect([status, body.status]).toEqual(isPermanent ? [503, 'not ready'] : [200, 'ready'])
    expect(body.uploads).not.toBe('ready')
    // Whoever asks learns neither the bucket nor its address.
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|soma-photos/)
    expect((await server.raw('GET', '/zones')).status).toBe(200)

    storage.fault = () => undefined
    await expect.poll(ready).toEqual([200, { status: 'ready', uploads: 'ready' }])
    await expect.poll(() => statusOf(path)).toBe(200)
    for (const [at, preset] of ['soma', 'soma-id'].entries()) {
      const again = await pathOf(await upload(files[at] as Buffer, preset))
      expect(await statusOf(again, admin.token)).toBe(200)
    }
  })
})

test('uploads to a storage that does not answer end with 503 and give back their places', async () => {
  const hurried = await start(shortPatience)
  const file = await newPicture()
  const send = () =>
    hurried.raw('POST', '/images/upload', { body: photoForm(file, 'soma'), address: '10.8.0.1' })
  // The places of this address are all taken, six times.
  storage.fault = ({ key }) => (key.startsWith('photos/') ? { wait: 60_000 } : undefined)
  const slow = await Promise.all(Array.from({ length: 6 }, send))
  expect(slow.map(({ status }) => status)).toEqual(Array(6).fill(503))
  expect(slow[0]?.headers.get('retry-after')).toBe('15')
  storage.fault = () => undefined
  await expect.poll(async () => (await send()).status).toBe(200)
  const after = await Promise.all(Array.from({ length: 6 }, send))
  expect(after.map(({ status }) => status)).toEqual(Array(6).fill(200))
  await hurried.close()
})
