import sharp from 'sharp'
import { expect, test } from 'vitest'
import { decodingUploads, photoForm } from '../../../helpers/pictures.ts'
import { serverFixture } from '../../../server/server-fixture.ts'

const server = await serverFixture(decodingUploads())

const upload = (file: Uint8Array) =>
  server.raw('POST', '/images/upload', { body: photoForm(file, 'soma') })

test('R66: a photo of 50 megapixels is accepted, a larger one is not decoded', async () => {
  const blank = (width: number, height: number, progressive = false) =>
    sharp({ create: { width, height, channels: 3, background: '#888' } })
      .png({ progressive })
      .toBuffer()
  expect((await upload(await blank(10_000, 5_000))).status).toBe(200)
  const larger = await upload(await blank(10_000, 5_001))
  expect([larger.status, (await larger.json()).reason]).toEqual([415, 'not-an-image'])
  // A format that is decoded whole takes more memory, so its limit is lower.
  expect((await upload(await blank(5_000, 4_001, true))).status).toBe(415)
})
