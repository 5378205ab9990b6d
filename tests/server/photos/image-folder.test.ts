import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileStream } from '#server/photos/file-stream.ts'
import { imageFolder, restrictImageFolder } from '#server/photos/image-folder.ts'
import type { ImageStore } from '#server/ports/ports.ts'
import { picture } from '../../helpers/pictures.ts'
import { present } from '../../helpers/present.ts'

let folder: string
let images: ImageStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'soma-images-'))
  images = imageFolder(join(folder, 'images'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const name = `${'ab'.repeat(32)}.jpg`
const other = `${'cd'.repeat(32)}.jpg`
const bytes = Buffer.from('a photo')
const open = async (name: string, isPrivate = false) => {
  const found = await images.open(name, isPrivate)
  return found && [found.size, await new Response(found.stream()).text()]
}

/** Path and mode of every file and folder below. */
async function modes() {
  const all = await readdir(folder, { recursive: true })
  const found = all.map(async (path) => {
    const { mode } = await stat(join(folder, path))
    return [path, (mode & 0o777).toString(8)] as const
  })
  return Object.fromEntries(await Promise.all(found))
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

test('files and folders are their owner’s alone', async () => {
  await images.put(name, bytes)
  await images.put(other, bytes, true)
  await images.copyToPrivate(name, `${'ef'.repeat(32)}.jpg`)
  await images.hide(name)
  for (const [path, mode] of Object.entries(await modes()))
    expect(mode, path).toBe(path.endsWith('.jpg') ? '600' : '700')
})

test('what an earlier version left open is closed', async () => {
  const file = join(folder, 'images', 'ab', name)
  await mkdir(join(folder, 'images', 'ab'), { recursive: true })
  await writeFile(file, bytes)
  for (const [path, mode] of [
    ['images', 0o755],
    ['images/ab', 0o755],
    [`images/ab/${name}`, 0o644],
  ] as const)
    await chmod(join(folder, path), mode)
  await restrictImageFolder(join(folder, 'images'))
  expect(await modes()).toEqual({ images: '700', 'images/ab': '700', [`images/ab/${name}`]: '600' })
  expect((await readFile(file)).equals(bytes)).toBe(true)
})

test('a reader who stops after a chunk keeps no file open, and one who reads on gets the whole file', async () => {
  const path = join(folder, 'large')
  const large = Buffer.alloc(1_000_000, 'photo')
  await writeFile(path, large)
  const readers = Array.from({ length: 50 }, () => fileStream([path]).getReader())
  for (const reader of readers)
    expect(present((await reader.read()).value).length).toBeLessThan(100_000)
  const openFiles = await readdir('/proc/self/fd').catch(() => [])
  expect(openFiles.length).toBeLessThan(readers.length + 40)
  for (const reader of readers) await reader.cancel()
  const whole = Buffer.from(await new Response(fileStream([path])).arrayBuffer())
  expect(whole.equals(large)).toBe(true)
})

const real = (seed: number, side: number) => picture('jpeg', { width: side, height: side, seed })
const thumbnail = async (of: string) => {
  const found = await images.thumbnail?.(of)
  return found && Buffer.from(await new Response(found.stream()).arrayBuffer())
}

test('R122: a thumbnail is a square of 160 pixels and at most 8 kB, kept beside the photo and gone with it', async () => {
  // Grain is what compresses least.
  for (const side of [40, 700, 1_600]) {
    await images.put(name, await real(side, side))
    const made = present(await thumbnail(name))
    expect(made.length).toBeLessThanOrEqual(8_000)
    expect(await sharp(made).metadata()).toMatchObject({ format: 'webp', width: 160, height: 160 })
    expect(await thumbnail(name)).toEqual(made)
    const kept = Object.entries(await modes()).filter(([path]) => path.endsWith('.webp'))
    expect(kept.map(([, mode]) => mode)).toEqual(['600'])
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
      await images.put(name, await real(wait, 1_600))
      const asked = thumbnail(name)
      await new Promise((later) => setTimeout(later, wait))
      await end(name)
      await asked
      expect(Object.keys(await modes()).filter((path) => path.endsWith('.webp'))).toEqual([])
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
