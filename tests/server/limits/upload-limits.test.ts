import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { photoUploads } from '#server/photos/uploads.ts'
import { defaultLimits, looseLimits } from '#server/ports/limits.ts'
import { decodingUploads, photoForm, picture } from '../../helpers/pictures.ts'
import { startTestServer, type TestServer, testOptions } from '../../helpers/server/server.ts'
import { serverFixture } from '../server-fixture.ts'

const server = await serverFixture(decodingUploads())

const upload = (file: Uint8Array, preset: string, address: string) =>
  server.raw('POST', '/images/upload', { body: photoForm(file, preset), address })

const said = async (answer: Response) => {
  const body = await answer.json()
  return [answer.status, body.reason, body.error.message.length > 5]
}

describe('R64: one address', () => {
  const limited = () => {
    const limits = { ...looseLimits, uploads: { ...defaultLimits.uploads, tries: 60 } }
    return startTestServer(undefined, { ...decodingUploads(), options: { ...testOptions, limits } })
  }
  const from = (server: TestServer, address: string, body: FormData) =>
    server.raw('POST', '/images/upload', { body, address })

  test('can upload a limited number of photos; other addresses still can', async () => {
    const server = await limited()
    const body = () => photoForm(Buffer.from('no photo'), 'soma')
    const statuses = new Set<number>()
    for (let n = 0; n < 60; n++) statuses.add((await from(server, '10.6.6.6', body())).status)
    expect([...statuses]).toEqual([415])
    const refused = await from(server, '10.6.6.6', body())
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await from(server, '10.6.6.7', body())).status).toBe(415)
    await server.close()
  })

  test('can upload a limited number of bytes in a day', async () => {
    const server = await limited()
    const file = await picture()
    expect((await from(server, '10.6.6.6', photoForm(file, 'soma'))).status).toBe(200)
    // Counts two photos as large as the address's whole allowance.
    const second = photoForm(await picture('png'), 'soma')
    expect((await from(server, '10.6.6.6', second)).status).toBe(200)
    const [uploader] = (await server.pool().query('select uploader from photos')).rows
    await server.pool().query('update photos set bytes = 2000000000')
    expect(uploader.uploader).not.toContain('10.6.6.6')
    const refused = await from(server, '10.6.6.6', photoForm(file, 'soma'))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60)
    expect((await from(server, '10.6.6.7', photoForm(await picture('png'), 'soma'))).status).toBe(
      200,
    )
    server.clock.advance(24 * 60 * 60_000 + 1_000)
    expect((await from(server, '10.6.6.6', photoForm(file, 'soma'))).status).toBe(200)
    await server.close()
  })

  test('waits while 24 of its uploads are running; other addresses are served', async () => {
    const file = await picture()
    const ends: (() => void)[] = []
    const slow = () => {
      const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from(head))
          ends.push(() => controller.close())
        },
      })
      const headers = { 'content-type': 'multipart/form-data; boundary=x' }
      const about = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
      const request = new Request('http://soma.test/api/images/upload', about)
      return server.fetch(request, { address: '10.7.7.7' })
    }
    const dribbling = Array.from({ length: 64 }, slow)
    const first = await Promise.all(dribbling.slice(24))
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([429]))
    expect(first[0]?.headers.get('retry-after')).toBe('5')
    expect((await upload(file, 'soma', '10.7.7.8')).status).toBe(200)
    expect((await upload(file, 'soma', '10.7.7.7')).status).toBe(429)
    for (const end of ends) end()
    const last = await Promise.all(dribbling.slice(0, 24))
    expect(new Set(last.map(({ status }) => status))).toEqual(new Set([400]))
    expect((await upload(file, 'soma', '10.7.7.7')).status).toBe(200)
  })
})

test('on a full disk uploads are refused, other calls work, and /readyz reports it', async () => {
  const full = await startTestServer(undefined, decodingUploads())
  const { images } = full.ports
  if (images) images.freeBytes = async () => 499_999_999
  const answer = await full.raw('POST', '/images/upload', {
    body: photoForm(await picture(), 'soma'),
  })
  expect(await said(answer)).toEqual([503, 'unavailable', true])
  expect(answer.headers.get('retry-after')).toBe('300')
  const ready = () => full.fetch(new Request('http://soma.test/readyz'))
  expect(await (await ready()).json()).toMatchObject({ status: 'ready', uploads: 'disk low' })
  expect((await full.raw('GET', '/zones')).status).toBe(200)
  if (images) images.freeBytes = async () => 500_000_000
  expect(await (await ready()).json()).toMatchObject({ status: 'ready', uploads: 'ready' })
  await full.close()
})

describe('An upload that is too slow', () => {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  /** Sends one chunk every 20 ms, once `begin` is over. */
  const request = (piece: string, pieces: number, begin: Promise<unknown> = Promise.resolve()) => {
    let timer: NodeJS.Timeout
    let sent = 0
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(head))
        void begin.then(() => {
          timer = setInterval(() => {
            if (sent++ < pieces) return controller.enqueue(Buffer.from(piece))
            clearInterval(timer)
            controller.enqueue(Buffer.from('\r\n--x--\r\n'))
            controller.close()
          }, 20)
        })
      },
      cancel: () => clearInterval(timer),
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const about = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    return { request: new Request('http://soma.test', about), stop: () => clearInterval(timer) }
  }

  test('is aborted and leaves no file; one at the minimum rate succeeds', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'soma-arriving-'))
    // Limits as strict as no server's, so that the test is short.
    const uploads = photoUploads(folder, { graceSeconds: 0.2, leastBytesPerSecond: 20_000 })
    const dribble = request('a', 100)
    const given = uploads.read(dribble.request, 1_000_000)
    await expect(given).rejects.toMatchObject({ reason: 'unavailable' })
    dribble.stop()
    expect(await readdir(folder)).toEqual([])
    const steady = await uploads.read(request('a'.repeat(6_000), 40).request, 1_000_000)
    expect(steady.file?.size).toBe(240_000)
    expect(await readdir(folder)).toHaveLength(1)
    await steady.discard()
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true, force: true })
  })

  test('is refused at once when the disk accepts no write, however fast it is', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'soma-arriving-'))
    const folder = join(parent, 'gone')
    const uploads = photoUploads(folder)
    const gone = (async () => {
      // The folder existed when the upload began.
      await expect.poll(() => readdir(parent)).toEqual(['gone'])
      await rm(folder, { recursive: true })
    })()
    const sending = request('a'.repeat(60_000), 100, gone)
    const read = uploads.read(sending.request, 10_000_000)
    await expect(read).rejects.toMatchObject({ code: 'ENOENT' })
    sending.stop()
    await rm(parent, { recursive: true })
  })

  test('is slower than a weak phone: 300 kB at 3 kB/s stay above the minimum rate all the time', () => {
    const seconds = Array.from({ length: 101 }, (_, second) => second)
    const isTooSlow = (second: number) => second * 3_000 < (second - 20) * 1_000
    expect(seconds.some(isTooSlow)).toBe(false)
  })
})
