import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { decodingUploads, photoForm, picture } from '../../helpers/pictures.ts'
import { serverFixture } from '../server-fixture.ts'

const server = await serverFixture(decodingUploads())

let address = 0
/** Uploads a form, by default from an address not used before. */
const upload = (file: Uint8Array | undefined, preset = 'soma', from = `10.0.${++address}.1`) =>
  server.raw('POST', '/images/upload', {
    body: photoForm(file, preset, '../../etc/passwd.html'),
    address: from,
  })

/** The path below `/api` of an uploaded photo. */
async function pathOf(answer: Response): Promise<string> {
  const { secure_url } = await answer.json()
  expect(secure_url).toMatch(/^http:\/\/localhost:8080\/api\/images\/[0-9a-f]{64}\.jpg$/)
  return new URL(secure_url).pathname.replace('/api', '')
}

async function kept(answer: Response): Promise<Buffer> {
  const path = await pathOf(answer)
  return Buffer.from(await (await server.raw('GET', path)).arrayBuffer())
}

describe('An uploaded photo', () => {
  test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    'R66: as %s is stored as JPEG under the hash of its stored bytes, and cached as immutable',
    async (format) => {
      const file = await picture(format)
      const answer = await upload(file)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      const path = await pathOf(answer)
      const served = await server.raw('GET', path)
      const bytes = Buffer.from(await served.arrayBuffer())
      expect(path).toBe(`/images/${createHash('sha256').update(bytes).digest('hex')}.jpg`)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 48 })
      expect(Object.fromEntries(served.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'content-length': `${bytes.length}`,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'access-control-allow-origin': '*',
      })
      expect(await pathOf(await upload(file))).toBe(path)
      const again = await server.raw('GET', path, {
        headers: { 'if-none-match': served.headers.get('etag') ?? '' },
      })
      expect(again.status).toBe(304)
    },
  )

  test('R66: is stored upright and small, without metadata', async () => {
    const file = await sharp(await picture('jpeg', { width: 2_400, height: 1_200 }))
      .withExif({
        IFD0: { Copyright: 'Ama Mensah' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '5/1 36/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret>home</secret></x:xmpmeta>')
      .jpeg()
      .toBuffer()
    expect((await sharp(file).metadata()).exif?.includes('Ama Mensah')).toBe(true)
    const bytes = await kept(await upload(file))
    const about = await sharp(bytes).metadata()
    expect(about).toMatchObject({ width: 800, height: 1_600 })
    for (const part of ['exif', 'xmp', 'iptc', 'icc', 'orientation'] as const)
      expect(about[part], part).toBeUndefined()
    for (const secret of ['Ama Mensah', 'GPS', 'secret', 'Exif'])
      expect(bytes.includes(secret), secret).toBe(false)
  })

  test('is white where it was transparent', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 }
    const file = await sharp({ create: { width: 8, height: 8, channels: 4, background: clear } })
      .png()
      .toBuffer()
    const pixels = await sharp(await kept(await upload(file)))
      .raw()
      .toBuffer()
    expect(pixels.every((value) => value > 250)).toBe(true)
  })

  test('loses another file that was appended to it', async () => {
    const file = Buffer.concat([await picture(), Buffer.from('<script>alert(1)</script>')])
    expect((await kept(await upload(file))).includes('script')).toBe(false)
  })

  test('is accepted without its last bytes, but not without half of its picture', async () => {
    const file = await picture('jpeg', { width: 640, height: 480 })
    expect((await upload(file.subarray(0, -2))).status).toBe(200)
    expect((await upload(file.subarray(0, file.length * 0.97))).status).toBe(200)
    expect((await upload(file.subarray(0, file.length / 2))).status).toBe(415)
  })
})

/** A PNG with a header of this size and no pixels. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 6, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', size), chunk('IDAT', Buffer.alloc(10))])
}

const said = async (answer: Response) => {
  const body = await answer.json()
  return [answer.status, body.reason, body.error.message.length > 5]
}

test.each([
  ['a JPEG of three bytes', Buffer.from([0xff, 0xd8, 0xff])],
  [
    'a JPEG of a header alone',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500)]),
  ],
  ['a PNG of 30,000 by 30,000 pixels', pngHeader(30_000, 30_000)],
  ['a PNG of 50.01 megapixels', pngHeader(10_002, 5_000)],
  ['a PNG without pixels', pngHeader(100, 100)],
  ['a GIF of 65,535 by 65,535 pixels', Buffer.from('GIF89a\xff\xff\xff\xff\x00\x00\x00', 'latin1')],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ['a PDF', Buffer.from('%PDF-1.7')],
  ['a TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
  ['HTML', Buffer.from('<html><script>')],
  ['a sound', Buffer.from('RIFF1234WAVE')],
  ['nothing', Buffer.alloc(0)],
])('%s is refused as not a photo', async (_, file) => {
  expect(await said(await upload(file))).toEqual([415, 'not-an-image', true])
})

describe('A form', () => {
  const raw = (body: string, type: string) =>
    server.raw('POST', '/images/upload', { body, headers: { 'content-type': type } })

  test('without a file or a known preset is refused as image providers do', async () => {
    const file = await picture()
    expect(await said(await upload(file, 'other'))).toEqual([400, 'invalid', true])
    expect(await said(await upload(file, ''))).toEqual([400, 'invalid', true])
    expect(await said(await upload(undefined))).toEqual([400, 'invalid', true])
  })

  test('of another content type, or broken, is malformed', async () => {
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/mixed; boundary=x',
      'multipart/form-data',
      'multipart/form-data; boundary=',
    ])
      expect(await said(await raw('a=b&'.repeat(1_000), type)), type).toEqual([
        400,
        'malformed',
        true,
      ])
    const head = 'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    for (const body of ['--x', '--x\r\n', `--x\r\n${head}abc`])
      expect(await said(await raw(body, 'multipart/form-data; boundary=x')), body).toEqual([
        400,
        'malformed',
        true,
      ])
    expect(await said(await server.raw('POST', '/images/upload'))).toEqual([400, 'malformed', true])
  })

  test('that is not one is refused without reading it', async () => {
    let pulled = 0
    const body = new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    const request = new Request('http://soma.test/api/images/upload', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
      duplex: 'half',
    } as RequestInit)
    expect(await said(await server.fetch(request))).toEqual([400, 'malformed', true])
    expect(pulled).toBeLessThan(3)
  })

  test('with many fields, or another file before the photo, is handled', async () => {
    const form = new FormData()
    for (let field = 0; field < 1_000; field++) form.append(`field${field}`, 'x'.repeat(50))
    form.set('upload_preset', 'soma')
    form.set('file', new Blob([new Uint8Array(await picture())]))
    expect((await server.raw('POST', '/images/upload', { body: form })).status).toBe(400)
  })
})

test('R66: a photo of 10 MB is accepted, a larger one is refused', async () => {
  const file = await picture()
  const of = (size: number) => Buffer.concat([file, Buffer.alloc(size - file.length)])
  expect((await upload(of(10_000_000))).status).toBe(200)
  expect((await upload(of(10_000_001))).status).toBe(413)
  expect((await upload(of(11_000_000))).status).toBe(413)
})

test('simultaneous uploads of the same photo store it complete', async () => {
  const file = await picture('png', { width: 300, height: 300, seed: 8 })
  const answers = await Promise.all(Array.from({ length: 8 }, () => upload(file)))
  const paths = new Set(await Promise.all(answers.map(pathOf)))
  expect(paths.size).toBe(1)
  const served = await server.raw('GET', [...paths][0] ?? '')
  expect(await sharp(Buffer.from(await served.arrayBuffer())).metadata()).toMatchObject({
    width: 300,
  })
})

test('a photo stored by an earlier version is still served', async () => {
  for (const extension of ['jpg', 'png', 'webp', 'gif', 'avif']) {
    const name = `${'c'.repeat(64)}.${extension}`
    await server.ports.images?.put(name, Buffer.from('as it was'))
    const answer = await server.raw('GET', `/images/${name}`)
    expect([answer.status, await answer.text()]).toEqual([200, 'as it was'])
  }
})

test('the photo route serves no other file', async () => {
  for (const name of [
    'x.jpg',
    'private',
    'arriving',
    '../postgres.json',
    '..%2f..%2fetc%2fpasswd',
    `private%2f${'b'.repeat(64)}.jpg`,
    `${'a'.repeat(64)}.html`,
    `${'b'.repeat(64)}.jpg`,
    `${'b'.repeat(64)}.jpg.0123.new`,
  ]) {
    const answer = await server.raw('GET', `/images/${name}`)
    expect([answer.status, (await answer.json()).reason], name).toEqual([404, 'not-found'])
  }
})

test('a page on another origin may upload', async () => {
  const answer = await server.raw('OPTIONS', '/images/upload', {
    headers: { origin: 'http://127.0.0.1:8080' },
  })
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
})
