import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '#domain/errors.ts'
import { objectStorageClient, type Patience } from '#server/photos/object-storage/client.ts'
import {
  photosInBucket,
  problemOf,
  shortHealthTimes,
  shortPatience,
} from '../../../helpers/server/bucket.ts'
import {
  type Fault,
  type ObjectStorage,
  startObjectStorage,
} from '../../../helpers/server/object-storage.ts'

/* An object storage that is down, slow or cut off. */

let storage: ObjectStorage
beforeEach(async () => {
  storage = await startObjectStorage()
})
afterEach(() => storage.close())

const name = `${'ab'.repeat(32)}.jpg`
const bytes = Buffer.from('a photo')
const open = (patience?: Patience) =>
  photosInBucket(storage, { patience, healthTimes: shortHealthTimes })

function withResolvers() {
  let resolve = (_: undefined) => {}
  const promise = new Promise<undefined>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** The first `count` requests fail. */
function failFirst(count: number, fault: Fault) {
  storage.fault = () => (storage.seen.length <= count ? fault : undefined)
}

const faults: [string, Fault][] = [
  ['answers 500', { status: 500, code: 'InternalError' }],
  ['lost patience with the body', { status: 400, code: 'RequestTimeout' }],
  ['breaks the connection', { isCut: true }],
]
/** A fault that is over only when its caller has given up. */
const silence: Fault = { wait: 60_000 }

describe.each(faults)('a storage that %s', (_, fault) => {
  test('twice is asked a third time, and the photo is kept and read whole', async () => {
    const images = open()
    failFirst(2, fault)
    await images.put(name, bytes)
    expect(storage.objects.get(`photos/${name}`)?.body).toEqual(bytes)
    storage.seen.length = 0
    const found = await images.open(name)
    expect(await new Response(found?.stream()).text()).toBe('a photo')
    expect(storage.seen).toHaveLength(3)
  })

  test('always is asked three times at most, and the photo is not taken as kept', async () => {
    storage.fault = () => fault
    const error = await problemOf(open().put(name, bytes))
    expect(error).toBeInstanceOf(Refusal)
    expect(error?.reason).toBe('unavailable')
    expect(error?.problem.isPermanent).toBe(false)
    expect(storage.seen.length).toBeLessThanOrEqual(3)
    expect(inspect(error, { depth: 9 })).not.toContain(storage.settings.secretKey)
  })
})

test('a storage that does not answer is asked again, and then given up', async () => {
  const images = open(shortPatience)
  storage.fault = () => silence
  const error = await problemOf(images.put(name, bytes))
  expect(error?.problem).toMatchObject({
    isPermanent: false,
    line: expect.stringMatching(/cannot be reached \(ETIMEDOUT\)\.$/),
  })
  expect(storage.seen.length).toBeGreaterThan(1)
  expect(storage.seen.length).toBeLessThanOrEqual(3)
  storage.fault = () => undefined
  await images.put(name, bytes)
  expect(storage.objects.get(`photos/${name}`)?.body).toEqual(bytes)
})

test('after a failed request none is made, until the storage is found well again', async () => {
  const images = open()
  await images.put(name, bytes)
  storage.fault = () => ({ status: 500, code: 'InternalError' })
  expect(await problemOf(images.open(name))).toBeDefined()
  storage.seen.length = 0
  for (let count = 0; count < 20; count++) expect(await problemOf(images.open(name))).toBeDefined()
  expect(storage.seen.filter(({ key }) => !key.startsWith('probe/'))).toEqual([])
  storage.fault = () => undefined
  await expect.poll(() => images.problem()).toBeUndefined()
  expect(await images.open(name)).toBeDefined()
})

test('one photo that cannot be read keeps nobody from the others', async () => {
  const images = open()
  await images.put(name, bytes)
  storage.fault = ({ key }) =>
    key === `photos/${name}` ? { status: 500, code: 'InternalError' } : undefined
  expect(await problemOf(images.open(name))).toBeDefined()
  const other = `${'cd'.repeat(32)}.jpg`
  await images.put(other, bytes)
  expect(await images.open(other)).toBeDefined()
})

test('reads that never end leave room for writes, and further reads are refused at once', async () => {
  const images = open()
  const { promise: held, resolve: release } = withResolvers()
  storage.fault = ({ method }) => (method === 'GET' ? held : undefined)
  const patient = objectStorageClient(storage.settings)
  const key = `photos/${name}`
  const outcomes: Promise<string>[] = []
  for (let count = 0; count < 400; count++)
    outcomes.push(
      patient.get(key).then(
        () => 'read',
        (error) => error.reason,
      ),
    )
  await expect.poll(() => storage.seen.length).toBe(64)
  await patient.put(key, bytes)
  await images.put(name, bytes)
  release(undefined)
  const all = await Promise.all(outcomes)
  expect(all.filter((each) => each === 'read')).toHaveLength(64 + 256)
  expect(all.filter((each) => each === 'unavailable')).toHaveLength(400 - 64 - 256)
})

test('R55: a photo whose copy failed after the storage had answered 200 is not lost', async () => {
  const images = open()
  await images.put(name, bytes)
  storage.fault = ({ method }) =>
    method === 'PUT' ? { status: 200, code: 'InternalError' } : undefined
  expect(await problemOf(images.hide(name))).toBeDefined()
  expect(storage.objects.get(`photos/${name}`)?.body).toEqual(bytes)
  storage.fault = () => undefined
  await images.hide(name)
  expect([...storage.objects.keys()]).toEqual([`private/${name}`])
})

test('R66: a photo whose writing is answered with 404 is not taken as kept', async () => {
  storage.fault = () => ({ status: 404, code: 'NotFound' })
  expect((await problemOf(open().put(name, bytes)))?.problem.line).toContain('answered 404')
})

test('a list of more objects than one answer holds is read to its end, and other objects are left alone', async () => {
  const images = open()
  storage.pageSize = 3
  const names = Array.from({ length: 10 }, (_, at) => `${'f'.repeat(63)}${at.toString(16)}.jpg`)
  for (const each of names) await images.put(each, bytes)
  storage.objects.set('photos/a&b<c>.txt', { body: bytes, changedAt: 0, headers: {} })
  storage.objects.set('other/photo.jpg', { body: bytes, changedAt: 0, headers: {} })
  const found: string[] = []
  for await (const files of images.list()) found.push(...files.map((file) => file.name))
  expect(found.sort()).toEqual(names)
})
