import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { photosInBucket, problemOf } from '../../../helpers/server/bucket.ts'
import {
  type Fault,
  type ObjectStorage,
  startObjectStorage,
} from '../../../helpers/server/object-storage.ts'

/* A bucket that is set up wrongly, and names that lead out of it. */

let storage: ObjectStorage
beforeEach(async () => {
  storage = await startObjectStorage()
})
afterEach(() => storage.close())

const name = `${'ab'.repeat(32)}.jpg`
const bytes = Buffer.from('a photo')

describe('a storage that is set up wrongly', () => {
  const settings = () => storage.settings
  const answers = (fault: Fault) => {
    storage.fault = () => fault
  }
  const cases: [string, () => unknown, RegExp, string][] = [
    [
      'has no such bucket',
      () => storage.buckets.clear(),
      /^The bucket “soma-photos” at http:\/\/127.0.0.1:\d+ does not exist\.$/,
      'bucket missing',
    ],
    [
      'knows no such key',
      () => Object.assign(settings(), { accessKey: 'OTHER' }),
      /refused the key in S3_ACCESS_KEY and S3_SECRET_KEY \(InvalidAccessKeyId\)\.$/,
      'key refused',
    ],
    [
      'has another secret',
      () => answers({ status: 403, code: 'SignatureDoesNotMatch' }),
      /refused the key .*\(SignatureDoesNotMatch\)\.$/,
      'key refused',
    ],
    [
      'is in another region',
      () => Object.assign(settings(), { region: 'other' }),
      /is in another region: set S3_REGION\.$/,
      'storage misconfigured',
    ],
    [
      'lets the key not write',
      () => storage.rights.delete('PUT'),
      /may not write to the bucket/,
      'access denied',
    ],
    [
      'lets the key not read',
      () => storage.rights.delete('GET'),
      /may not read from the bucket/,
      'access denied',
    ],
    [
      'lets the key not list',
      () => storage.rights.delete('LIST'),
      /may not list the bucket/,
      'access denied',
    ],
    [
      'lets the key not delete',
      () => storage.rights.delete('DELETE'),
      /may not delete from the bucket/,
      'access denied',
    ],
  ]

  test.each(cases)(
    'because it %s takes no photo, and says why in one line',
    async (_, spoil, line, reason) => {
      const lines: string[] = []
      const log = {
        warn: (_: object, text: string) => void lines.push(text),
        info: () => undefined,
      }
      // The settings of the process stay as they are.
      const images = photosInBucket({ settings: { ...settings() } }, { log })
      spoil()
      const problem = await images.problem()
      expect(problem).toMatchObject({
        reason,
        isPermanent: true,
        line: expect.stringMatching(line),
      })
      expect(problem?.line).not.toContain('\n')
      expect(lines).toEqual([expect.stringContaining(problem?.line ?? '-')])
      expect(lines.join()).not.toContain('test/secret+key')
      storage.seen.length = 0
      const use = async () => {
        await images.put(name, bytes)
        for await (const _ of images.list()) break
        await images.open(name)
        await images.remove(name)
      }
      const inTheWay = await problemOf(use())
      expect(inTheWay?.problem.isPermanent).toBe(true)
    },
  )
})

test('a storage that sends its callers elsewhere is not followed', async () => {
  const visits: string[] = []
  const elsewhere = createServer((request, response) => {
    visits.push(request.url ?? '')
    response.end('<Key>')
  })
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
  const { port } = elsewhere.address() as AddressInfo
  const redirecting = createServer((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end()
  })
  await new Promise<void>((done) => redirecting.listen(0, '127.0.0.1', done))
  const endpoint = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`
  const images = photosInBucket({ settings: { ...storage.settings, endpoint } })
  expect((await images.problem())?.line).toMatch(/is not at http.*: set S3_ENDPOINT/)
  expect((await problemOf(images.put(name, bytes)))?.problem.isPermanent).toBe(true)
  expect(visits).toEqual([])
  for (const server of [elsewhere, redirecting]) server.close()
})

test.each([
  '../private/x',
  `../private/${name}`,
  `${name}/../../x`,
  `/${name}`,
  `${name}?acl`,
  'x',
  '',
])('R55: no object has the name "%s"', async (wrong) => {
  const images = photosInBucket(storage)
  for (const work of [
    () => images.open(wrong),
    () => images.open(wrong, true),
    () => images.put(wrong, bytes),
    () => images.thumbnail(wrong),
    () => images.remove(wrong),
    () => images.hide(wrong),
    () => images.copyToPrivate(wrong, name),
    () => images.copyToPrivate(name, wrong),
  ])
    await expect(work()).rejects.toThrow('not the name of a photo')
  expect(storage.seen).toEqual([])
})
