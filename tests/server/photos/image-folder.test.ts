import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileStream } from '#server/photos/file-stream.ts'
import { imageFolder, restrictImageFolder } from '#server/photos/image-folder.ts'
import type { ImageStore } from '#server/ports/ports.ts'
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

/** Path and mode of every file and folder below. */
async function modes() {
  const all = await readdir(folder, { recursive: true })
  const found = all.map(async (path) => {
    const { mode } = await stat(join(folder, path))
    return [path, (mode & 0o777).toString(8)] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

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
