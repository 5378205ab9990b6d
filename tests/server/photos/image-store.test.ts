import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { imageFolder } from '#server/photos/image-folder.ts'
import type { ImageStore } from '#server/ports/ports.ts'
import { picture } from '../../helpers/pictures.ts'
import { present } from '../../helpers/present.ts'
import { photosInBucket } from '../../helpers/server/bucket.ts'
import { startObjectStorage } from '../../helpers/server/object-storage.ts'

/* The contract of the `ImageStore` port, for each place where photos are kept. */

type Store = {
  images: ImageStore
  /** The names of the thumbnails that are kept. */
  thumbnails(): Promise<string[]>
  close(): Promise<unknown>
}

async function openFolder(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'soma-images-'))
  return {
    images: imageFolder(folder),
    thumbnails: async () =>
      (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.webp')),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function openBucket(): Promise<Store> {
  const storage = await startObjectStorage()
  return {
    images: photosInBucket(storage),
    thumbnails: async () =>
      [...storage.objects.keys()].filter((key) => key.startsWith('thumbnails/')),
    close: storage.close,
  }
}

const name = `${'ab'.repeat(32)}.jpg`
const other = `${'cd'.repeat(32)}.jpg`
const bytes = Buffer.from('a photo')

/** Pictures are made once, because a large one takes a second. */
const pictures = new Map<string, Promise<Buffer>>()
function real(seed: number, side: number): Promise<Buffer> {
  const key = `${seed} ${side}`
  const made = pictures.get(key) ?? picture('jpeg', { width: side, height: side, seed })
  pictures.set(key, made)
  return made
}

describe.each([
  ['a folder', openFolder],
  ['a bucket', openBucket],
])('photos in %s', (_, openStore) => {
  let store: Store
  let images: ImageStore
  beforeEach(async () => {
    store = await openStore()
    images = store.images
  })
  afterEach(() => store.close())

  const open = async (name: string, isPrivate = false) => {
    const found = await images.open(name, isPrivate)
    return found && [found.size, await new Response(found.stream()).text()]
  }

  test('a public photo is not among the private ones, and a private one not among the public', async () => {
    await images.put(name, bytes)
    await images.put(other, bytes, true)
    expect(await open(name)).toEqual([7, 'a photo'])
    expect(await open(other)).toBeUndefined()
    expect(await open(other, true)).toEqual([7, 'a photo'])
    await images.hide(name)
    expect(await open(name)).toBeUndefined()
    expect(await open(name, true)).toEqual([7, 'a photo'])
    await images.hide(name)
    await images.remove(name)
    await images.remove(other)
    expect([await open(name, true), await open(other, true)]).toEqual([undefined, undefined])
  })

  test('one that is to be private is found where it still is', async () => {
    await images.put(name, bytes)
    expect(await open(name, true)).toEqual([7, 'a photo'])
    expect(await images.copyToPrivate(name, other)).toBe(true)
    expect([await open(name), await open(other)]).toEqual([[7, 'a photo'], undefined])
    expect(await open(other, true)).toEqual([7, 'a photo'])
    expect(await images.copyToPrivate(`${'0'.repeat(64)}.jpg`, other)).toBe(false)
  })

  test('one that is made private while it is read arrives whole', async () => {
    const large = Buffer.alloc(1_000_000, 'photo')
    await images.put(name, large)
    const found = present(await images.open(name, true))
    const reader = found.stream().getReader()
    const pieces = [present((await reader.read()).value)]
    await images.hide(name)
    for (let next = await reader.read(); !next.done; next = await reader.read())
      pieces.push(next.value)
    expect(Buffer.concat(pieces).equals(large)).toBe(true)
  })

  test('every photo is listed once, with its place and the time of its last upload', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `${at.toString(16).padStart(64, '0')}.png`)
    const began = Date.now() - 1_000
    for (const [at, each] of names.entries()) await images.put(each, bytes, at % 3 === 0)
    const found = new Map<string, boolean>()
    for await (const files of images.list())
      for (const { name, isPrivate, changedAt } of files) {
        expect(found.has(name)).toBe(false)
        found.set(name, isPrivate)
        expect(changedAt).toBeGreaterThan(began)
      }
    expect([...found.keys()].sort()).toEqual(names)
    expect(names.filter((each) => found.get(each))).toEqual(names.filter((_, at) => at % 3 === 0))
  })

  test('R55: a photo that two processes make private at once is private, once', async () => {
    await images.put(name, bytes)
    await Promise.all([images.hide(name), images.hide(name), images.hide(name)])
    expect([await open(name), await open(name, true)]).toEqual([undefined, [7, 'a photo']])
    const names: string[] = []
    for await (const files of images.list()) names.push(...files.map((file) => file.name))
    expect(names).toEqual([name])
  })

  test('what is not there can be removed, made private and read without harm', async () => {
    await images.remove(name)
    await images.hide(name)
    expect([await open(name), await open(name, true)]).toEqual([undefined, undefined])
  })
  const thumbnail = async (of: string) => {
    const found = await images.thumbnail?.(of)
    return found && Buffer.from(await new Response(found.stream()).arrayBuffer())
  }

  test('R122: a thumbnail is a square of 160 pixels and at most 8 kB, kept and gone with the photo', async () => {
    // Grain is what compresses least.
    for (const side of [40, 700, 1_600]) {
      await images.put(name, await real(side, side))
      const made = present(await thumbnail(name))
      expect(made.length).toBeLessThanOrEqual(8_000)
      expect(await sharp(made).metadata()).toMatchObject({
        format: 'webp',
        width: 160,
        height: 160,
      })
      expect(await thumbnail(name)).toEqual(made)
      await images.remove(name)
      expect(await thumbnail(name)).toBeUndefined()
    }
  })

  test('R122, R55: one that is made private, or cannot be decoded, or is not there, has none', async () => {
    await images.put(name, await real(1, 200))
    expect(await thumbnail(name)).toBeDefined()
    await images.hide(name)
    expect(await thumbnail(name)).toBeUndefined()
    await images.put(other, bytes)
    expect(await thumbnail(other)).toBeUndefined()
    expect(await thumbnail(`${'0'.repeat(64)}.jpg`)).toBeUndefined()
  })

  test('R122, R55: one that is made while its photo becomes private or is deleted does not stay', async () => {
    for (const end of [images.hide, images.remove])
      for (const wait of [0, 1, 5, 20, 60]) {
        await images.put(name, await real(7, 1_600))
        const asked = thumbnail(name)
        await new Promise((later) => setTimeout(later, wait))
        await end(name)
        await asked
        expect(await store.thumbnails()).toEqual([])
        expect(await thumbnail(name)).toBeUndefined()
        await images.remove(name)
      }
  })

  test('R122: many who ask at once get the same one, made once', async () => {
    await images.put(name, await real(7, 1_600))
    const all = await Promise.all(Array.from({ length: 200 }, () => thumbnail(name)))
    expect(new Set(all.map((each) => each?.toString('hex'))).size).toBe(1)
    expect(all[0]).toBeDefined()
  })
})
