import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodingUploads, photoForm, picture } from '../../helpers/pictures.ts'
import { photosInBucket } from '../../helpers/server/bucket.ts'
import { startObjectStorage } from '../../helpers/server/object-storage.ts'
import {
  imageHost,
  present,
  startTestServer,
  type TestServer,
} from '../../helpers/server/server.ts'
import { twoSecondsLater } from '../../helpers/server/two-seconds-later.ts'

const storage = await startObjectStorage()
afterAll(() => storage.close())

let seed = 500

describe.each([
  ['in a folder', () => ({})],
  ['in a bucket', () => ({ images: photosInBucket(storage) })],
])('photos %s', (_, where) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(undefined, { ...decodingUploads(), ...where() })
  })
  afterAll(() => server.close())

  async function upload(preset: string): Promise<string> {
    const file = await picture('jpeg', { width: 900, height: 600, seed: seed++ })
    const answer = await server.raw('POST', '/images/upload', { body: photoForm(file, preset) })
    return present(/[0-9a-f]{64}\.\w+$/.exec((await answer.json()).secure_url)?.[0])
  }
  const get = (name: string, token?: string, headers?: Record<string, string>) =>
    server.raw('GET', `/images/thumbnails/${name}`, { token, headers })

  test('R122: a public photo has a thumbnail for everybody, which never changes', async () => {
    const name = await upload('soma')
    const answer = await get(name)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    const bytes = (await answer.arrayBuffer()).byteLength
    expect(bytes).toBeLessThanOrEqual(8_000)
    expect(Number(answer.headers.get('content-length'))).toBe(bytes)
    const again = await get(name, undefined, {
      'if-none-match': present(answer.headers.get('etag')),
    })
    expect(again.status).toBe(304)
  })

  test('R122, R55: a private photo has no thumbnail, for admins neither', async () => {
    const admin = await server.admin()
    const name = await upload('soma-id')
    expect((await get(name)).status).toBe(404)
    expect((await get(name, admin.token)).status).toBe(404)
    expect((await server.raw('GET', `/images/${name}`, { token: admin.token })).status).toBe(200)
  })

  test('R122, R55: a public photo that becomes an ID photo loses its thumbnail, where it is kept too', async () => {
    const name = await upload('soma')
    expect((await get(name)).status).toBe(200)
    const idPhoto = `${imageHost}/api/images/${name}`
    await twoSecondsLater(() => server.signUp('driver', { idPhoto }))
    expect((await get(name)).status).toBe(404)
    const { images } = server.ports
    await expect.poll(() => images?.open(name)).toBeUndefined()
    await expect.poll(() => images?.thumbnail?.(name)).toBeUndefined()
  })

  test.each(['x', '../secret.key', `${'0'.repeat(64)}.jpg`, `${'0'.repeat(64)}.svg`, ''])(
    'R122: "%s" names none',
    async (name) => expect((await get(encodeURIComponent(name))).status).toBe(404),
  )
})
