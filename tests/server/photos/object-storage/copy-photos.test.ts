import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { movePhotosToBucket } from '#server/node/operator/admin/move-photos.ts'
import { readConfig } from '#server/node/startup/config.ts'
import { imageFolder } from '#server/photos/image-folder.ts'
import { picture } from '../../../helpers/pictures.ts'
import { present } from '../../../helpers/present.ts'
import { photosInBucket } from '../../../helpers/server/bucket.ts'
import { type ObjectStorage, startObjectStorage } from '../../../helpers/server/object-storage.ts'

/* `npm run admin -- move-photos`, without the process. */

let storage: ObjectStorage
let dataDir: string
beforeEach(async () => {
  storage = await startObjectStorage()
  dataDir = await mkdtemp(join(tmpdir(), 'soma-move-'))
})
afterEach(async () => {
  await storage.close()
  await rm(dataDir, { recursive: true })
})

const move = (over: Record<string, string> = {}) => {
  const { endpoint, bucket, accessKey, secretKey, region } = storage.settings
  const env = {
    DATA_DIR: dataDir,
    PHOTOS: 's3',
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY: accessKey,
    S3_SECRET_KEY: secretKey,
    S3_REGION: region,
  }
  return movePhotosToBucket(readConfig({ ...env, ...over }))
}
const onDisk = () => imageFolder(join(dataDir, 'images'))
const nameOf = (at: number) => `${at.toString(16).padStart(2, '0').repeat(32)}.jpg`
const written = () =>
  storage.seen.filter(({ method, key }) => method === 'PUT' && !key.startsWith('probe/')).length

const pictures = new Map<number, Promise<Buffer>>()
/** Made once. */
function pictureOf(seed: number): Promise<Buffer> {
  const made = pictures.get(seed) ?? picture('jpeg', { seed })
  pictures.set(seed, made)
  return made
}

/** Ten public photos with thumbnails, and ten private ones. */
async function fill() {
  for (let at = 0; at < 20; at++) {
    const isPrivate = at % 2 === 1
    await onDisk().put(nameOf(at), await pictureOf(at), isPrivate)
    if (!isPrivate) await onDisk().thumbnail?.(nameOf(at))
  }
}

async function expectSame(names: string[]) {
  const there = photosInBucket(storage)
  const bytesOf = async (found: { stream(): ReadableStream } | undefined) =>
    Buffer.from(await new Response(present(found).stream()).arrayBuffer()).toString('base64')
  for (const name of names) {
    const isPrivate = Number.parseInt(name.slice(0, 2), 16) % 2 === 1
    expect(await bytesOf(await there.open(name, isPrivate))).toBe(
      await bytesOf(await onDisk().open(name, isPrivate)),
    )
    expect(storage.objects.has(`photos/${name}`)).toBe(!isPrivate)
    expect(storage.objects.has(`private/${name}`)).toBe(isPrivate)
    expect(storage.objects.has(`thumbnails/${name}.webp`)).toBe(!isPrivate)
  }
}
const names = Array.from({ length: 20 }, (_, at) => nameOf(at))

test('every photo and thumbnail is copied to its place, and nothing twice', async () => {
  await fill()
  expect(await move()).toEqual([
    expect.stringMatching(/^30 files were copied .*, 0 were there already\./),
  ])
  await expectSame(names)
  expect(written()).toBe(30)
  expect(await move()).toEqual([
    expect.stringMatching(/^0 files were copied .*, 30 were there already\./),
  ])
  expect(written()).toBe(30)
  expect(storage.objects.get(`private/${nameOf(1)}`)?.headers['content-type']).toBe('image/jpeg')
})

test('what is damaged in the bucket, or was cut off by a stop, is copied again', async () => {
  await fill()
  await move()
  const [one, other, third] = [0, 1, 2].map((at) =>
    present(storage.objects.get(`${at === 1 ? 'private' : 'photos'}/${nameOf(at)}`)),
  )
  present(one).body = present(one).body.subarray(5)
  present(other).headers['x-amz-meta-sha256'] = '0'.repeat(64)
  delete present(third).headers['x-amz-meta-sha256']
  expect(await move()).toEqual([
    expect.stringMatching(/^3 files were copied .*, 27 were there already\./),
  ])
  await expectSame(names)
})

test('a photo that becomes private or is deleted meanwhile is copied as it then is, or not at all', async () => {
  await fill()
  const hidden = nameOf(18)
  const deleted = nameOf(16)
  const change = async () => {
    await onDisk().hide(hidden)
    await onDisk().remove(deleted)
    return undefined
  }
  // Both are among the last files; every request for the first waits until they have changed.
  let changed: Promise<undefined> | undefined
  storage.fault = ({ key }) => {
    if (key.startsWith('photos/')) changed ??= change()
    return changed
  }
  await move()
  expect(storage.objects.has(`private/${hidden}`)).toBe(true)
  expect(storage.objects.has(`photos/${deleted}`)).toBe(false)
})

test('files that could not be copied are named, and copied the next time', async () => {
  await fill()
  storage.fault = ({ key }) =>
    key === `photos/${nameOf(4)}` ? { status: 403, code: 'QuotaExceeded' } : undefined
  await expect(move()).rejects.toThrow(
    `29 files were copied to the bucket and checked, 0 were there already, 1 could not be copied: ${nameOf(4)}. Run it again.`,
  )
  storage.fault = () => undefined
  expect(await move()).toEqual([expect.stringMatching(/^1 files were copied/)])
  await expectSame(names)
})

test('a bucket that is wrong or not named is one line, before anything is read', async () => {
  await fill()
  await expect(move({ PHOTOS: 'disk' })).rejects.toThrow('move-photos needs PHOTOS=s3')
  await expect(move({ S3_BUCKET: 'others' })).rejects.toThrow('The bucket “others”')
  expect(storage.objects.size).toBe(0)
})

test('an empty disk has nothing to copy', async () => {
  expect(await move()).toEqual([
    expect.stringMatching(/^0 files were copied .*, 0 were there already\./),
  ])
})
