import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { imageHost, startTestServer, type TestServer } from '../helpers/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  )
const kinds = {
  jpg: bytes([0xff, 0xd8, 0xff, 0xe0], 'rest of a photo'),
  png: bytes([0x89], 'PNG\r\n', [0x1a, 0x0a], 'rest'),
  webp: bytes('RIFF', [1, 2, 3, 4], 'WEBPVP8 '),
  gif: bytes('GIF89a', 'rest'),
  avif: bytes([0, 0, 0, 0x20], 'ftypavif', 'rest'),
}

function upload(
  file: Buffer | undefined,
  preset: string | undefined = 'soma',
  address = '10.0.0.1',
) {
  const form = new FormData()
  if (file)
    form.set(
      'file',
      new Blob([new Uint8Array(file)], { type: 'text/html' }),
      '../../etc/passwd.html',
    )
  if (preset) form.set('upload_preset', preset)
  return server.raw('POST', '/images/upload', { body: form, address })
}

test.each(Object.entries(kinds))(
  'a %s is kept, and served as what it is, for good',
  async (kind, file) => {
    const answer = await upload(file)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const { secure_url } = await answer.json()
    const hash = createHash('sha256').update(file).digest('hex')
    expect(secure_url).toBe(`${imageHost}/api/images/${hash}.${kind}`)
    const path = new URL(secure_url).pathname.replace('/api', '')
    const served = await server.raw('GET', path)
    expect(Buffer.from(await served.arrayBuffer()).equals(file)).toBe(true)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': `image/${kind === 'jpg' ? 'jpeg' : kind}`,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
    })
    const again = await upload(file)
    expect((await again.json()).secure_url).toBe(secure_url)
  },
)

test('what is no photo, has no preset or no file is refused the way image providers do', async () => {
  const said = async (answer: Response) => [
    answer.status,
    (await answer.json()).error.message.length > 5,
  ]
  for (const text of ['<html><script>', 'GIF', '%PDF-1.7', '', 'RIFF1234WAVE'])
    expect(await said(await upload(Buffer.from(text))), text).toEqual([415, true])
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
  expect(await said(await upload(svg))).toEqual([415, true])
  expect(await said(await upload(kinds.jpg, 'other'))).toEqual([400, true])
  expect(await said(await upload(kinds.jpg, ''))).toEqual([400, true])
  expect(await said(await upload(undefined))).toEqual([400, true])
  expect(await said(await server.raw('POST', '/images/upload', { body: '{}' }))).toEqual([
    400,
    true,
  ])
  expect(await said(await server.raw('POST', '/images/upload'))).toEqual([400, true])
})

test('a photo of ten megabytes is kept, a larger one is refused', async () => {
  const of = (size: number) => Buffer.concat([kinds.jpg, Buffer.alloc(size - kinds.jpg.length)])
  expect((await upload(of(10_000_000))).status).toBe(200)
  expect((await upload(of(10_000_001))).status).toBe(413)
  expect((await upload(of(11_000_000))).status).toBe(413)
})

test('the same photo from many at once is kept whole', async () => {
  const file = Buffer.concat([kinds.png, Buffer.alloc(500_000, 7)])
  const answers = await Promise.all(Array.from({ length: 8 }, () => upload(file)))
  const urls = new Set(
    await Promise.all(answers.map(async (answer) => (await answer.json()).secure_url)),
  )
  expect(urls.size).toBe(1)
  const path = new URL([...urls][0]).pathname.replace('/api', '')
  expect(Buffer.from(await (await server.raw('GET', path)).arrayBuffer()).equals(file)).toBe(true)
})

test('no other file can be read by way of photos', async () => {
  for (const name of [
    'x.jpg',
    '../postgres.json',
    '..%2f..%2fetc%2fpasswd',
    `${'a'.repeat(64)}.html`,
    `${'b'.repeat(64)}.jpg`,
  ]) {
    const answer = await server.raw('GET', `/images/${name}`)
    expect([answer.status, (await answer.json()).reason], name).toEqual([404, 'not-found'])
  }
})

test('a page under another name of this server may upload', async () => {
  const answer = await server.raw('OPTIONS', '/images/upload', {
    headers: { origin: 'http://127.0.0.1:8080' },
  })
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
})

test('one address cannot fill the disk', async () => {
  let last = 200
  for (let n = 0; n < 301 && last === 200; n += 20)
    for (const answer of await Promise.all(
      Array.from({ length: 20 }, () => upload(kinds.gif, 'soma', '10.6.6.6')),
    ))
      if (answer.status !== 200) last = answer.status
  expect(last).toBe(429)
  expect((await upload(kinds.gif, 'soma', '10.6.6.7')).status).toBe(200)
})
