import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { collectPhotoGarbage, photoLifetime } from '#server/photos/collect-garbage.ts'
import { decodingUploads, photoForm, picture } from '../../helpers/pictures.ts'
import { photosInBucket } from '../../helpers/server/bucket.ts'
import { type SeenRequest, startObjectStorage } from '../../helpers/server/object-storage.ts'
import { present, startTestServer, type TestServer } from '../../helpers/server/server.ts'

/* Two server processes with one database and one bucket: what one collects, the other just takes in. */

const storage = await startObjectStorage()
const inBucket = () => ({ ...decodingUploads(), images: photosInBucket(storage) })
let taking: TestServer
let collecting: TestServer
beforeAll(async () => {
  taking = await startTestServer(undefined, inBucket())
  collecting = await startTestServer(taking.database, inBucket())
})
afterAll(async () => {
  await collecting.close()
  await taking.close()
  await storage.close()
})
beforeEach(() => {
  storage.fault = () => undefined
})

async function upload(file: Buffer): Promise<string> {
  const answer = await taking.raw('POST', '/images/upload', { body: photoForm(file, 'soma') })
  expect(answer.status).toBe(200)
  return new URL((await answer.json()).secure_url).pathname.replace('/api', '')
}

let photos = 0
/** A photo of a month ago that nothing uses; `how` says what is left of it. */
async function oldPhoto(how: 'with a row' | 'without a row') {
  const file = await picture('jpeg', { seed: ++photos })
  const path = await upload(file)
  const name = path.replace('/images/', '')
  if (how === 'without a row') await taking.repo.transaction(({ photos }) => photos.remove(name))
  for (const each of [taking, collecting]) each.clock.advance(photoLifetime.unused + 60_000)
  return { file, name }
}

/** Holds the first request that `isMeant` names until `work` is done. */
function holdUntil(isMeant: (request: SeenRequest) => boolean, work: () => Promise<unknown>) {
  let held: Promise<unknown> | undefined
  storage.fault = async (request) => {
    if (held || !isMeant(request)) return undefined
    held = work()
    await held
    return undefined
  }
  return () => held
}

const collect = () => collectPhotoGarbage(collecting.ports)

/** An acknowledged photo is there. */
async function expectKept(path: string) {
  const answer = await taking.raw('GET', path)
  expect(answer.status).toBe(200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
}

describe.each(['with a row', 'without a row'] as const)('R66: an old photo %s', (how) => {
  test('is deleted, with its thumbnail', async () => {
    const { name } = await oldPhoto(how)
    await collect()
    expect([...storage.objects.keys()].filter((key) => key.includes(name))).toEqual([])
    expect((await taking.raw('GET', `/images/${name}`)).status).toBe(404)
  })

  test('that is uploaded again while it is deleted stays', async () => {
    const { file, name } = await oldPhoto(how)
    let path = ''
    const held = holdUntil(
      ({ method, key }) => method === 'DELETE' && key.endsWith(`/${name}`),
      async () => {
        path = await upload(file)
      },
    )
    await collect()
    expect(held()).toBeDefined()
    await expectKept(path)
    // Under another name for good: the first is free again.
    await expectKept(await upload(file))
  })

  test.each([
    ['written', 'PUT', 'photos/'],
    ['followed by its thumbnail', 'GET', 'thumbnails/'],
  ])('that is deleted before it is %s again stays', async (_, method, prefix) => {
    const { file, name } = await oldPhoto(how)
    const held = holdUntil(
      (request) => request.method === method && request.key.startsWith(prefix + name),
      collect,
    )
    const path = await upload(file)
    expect(held()).toBeDefined()
    await expectKept(path)
    await collect()
    await expectKept(path)
  })
})

test('R66: an old photo without a row that is uploaded again once its row was looked for stays', async () => {
  const { file, name } = await oldPhoto('without a row')
  const { repo } = collecting.ports
  const images = present(collecting.ports.images)
  let isListed = false
  let path = ''
  async function* list() {
    for await (const files of images.list()) {
      isListed ||= files.some((each) => each.name === name)
      yield files
    }
  }
  const read: typeof repo.read = async (work) => {
    const found = await repo.read(work)
    if (isListed) path ||= await upload(file)
    return found
  }
  const ports = { ...collecting.ports, repo: { ...repo, read }, images: { ...images, list } }
  await collectPhotoGarbage(ports)
  expect(path).toBe(`/images/${name}`)
  await expectKept(path)
})

test('R66: photos that two processes collect at once are all deleted, with their rows', async () => {
  const names: string[] = []
  for (let count = 0; count < 5; count++) names.push((await oldPhoto('with a row')).name)
  await Promise.all([collect(), collectPhotoGarbage(taking.ports)])
  const left = [...storage.objects.keys()].filter((key) => names.some((name) => key.includes(name)))
  expect(left).toEqual([])
  expect(await taking.repo.read(({ photos }) => photos.getMany(names))).toEqual([])
})

test('R66: photos that a process had claimed when it stopped are deleted an hour later', async () => {
  const { name } = await oldPhoto('with a row')
  storage.fault = ({ method }) =>
    method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : undefined
  await expect(collect()).rejects.toThrow()
  storage.fault = () => undefined
  await collect()
  expect(storage.objects.has(`photos/${name}`)).toBe(true)
  collecting.clock.advance(61 * 60_000)
  await collect()
  expect(storage.objects.has(`photos/${name}`)).toBe(false)
})
