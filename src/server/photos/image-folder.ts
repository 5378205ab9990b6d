import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import {
  access,
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ImageStore } from '../ports/ports.ts'
import { fileStream } from './file-stream.ts'
import { storedImage } from './stored-image.ts'
import { newThumbnails } from './thumbnail.ts'

const ownerOnly = { folder: 0o700, file: 0o600 }

/**
 * Stores photos as files below `folder`, in 256 folders by the first two letters of their name, and
 * private ones in as many folders below `private`.
 */
export function imageFolder(folder: string): ImageStore {
  const rootOf = (isPrivate: boolean) => (isPrivate ? join(folder, 'private') : folder)
  const folderOf = (name: string, isPrivate: boolean) => join(rootOf(isPrivate), name.slice(0, 2))
  const pathOf = (name: string, isPrivate: boolean) => join(folderOf(name, isPrivate), name)
  const thumbnailOf = (name: string) => join(folder, 'thumbnails', name.slice(0, 2), `${name}.webp`)

  /** Writes a file under a temporary name and renames it: it exists whole, or not at all. */
  async function writeWhole(
    name: string,
    isPrivate: boolean,
    write: (half: string) => Promise<void>,
  ) {
    const file = pathOf(name, isPrivate)
    await mkdir(folderOf(name, isPrivate), { recursive: true, mode: ownerOnly.folder })
    const half = `${file}.${randomBytes(6).toString('hex')}.new`
    try {
      await write(half)
      await rename(half, file)
      await syncFolder(folderOf(name, isPrivate))
    } catch (error) {
      await rm(half, { force: true })
      throw error
    }
  }

  const newThumbnail = newThumbnails({
    photo: (name) => pathOf(name, false),
    keep: (name, bytes) => keepThumbnail(thumbnailOf(name), bytes),
    isPublic: (name) => succeeds(access(pathOf(name, false))),
    remove: (name) => rm(thumbnailOf(name), { force: true }),
  })

  return {
    async put(name, bytes, isPrivate = false) {
      const now = new Date()
      // Garbage collection goes by the file's time: a photo that is uploaded again is not old.
      if (await succeeds(utimes(pathOf(name, isPrivate), now, now))) return
      await writeWhole(name, isPrivate, async (half) => {
        const handle = await open(half, 'wx', ownerOnly.file)
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
      })
    },
    async open(name, isPrivate = false) {
      // Twice the private place: `hide` may move the photo there while it is looked for, or read.
      const paths = isPrivate
        ? [pathOf(name, true), pathOf(name, false), pathOf(name, true)]
        : [pathOf(name, false)]
      for (const path of paths) {
        const found = await stat(path).catch(() => undefined)
        if (found?.isFile()) return { size: found.size, stream: () => fileStream(paths) }
      }
      return undefined
    },
    async thumbnail(name) {
      const path = thumbnailOf(name)
      const kept = await stat(path).catch(() => undefined)
      if (kept?.isFile()) return { size: kept.size, stream: () => fileStream([path]) }
      const bytes = await newThumbnail(name)
      if (!bytes) return undefined
      return storedImage(new Uint8Array(bytes))
    },
    async hide(name) {
      await mkdir(folderOf(name, true), { recursive: true, mode: ownerOnly.folder })
      // There may be none, and another process may have moved it first.
      const isMoved = await succeeds(rename(pathOf(name, false), pathOf(name, true)))
      // Last, so that a thumbnail made meanwhile finds the photo gone.
      await rm(thumbnailOf(name), { force: true })
      if (!isMoved) return
      await chmod(pathOf(name, true), ownerOnly.file)
      await syncFolder(folderOf(name, true))
    },
    async copyToPrivate(from, to) {
      if (!(await succeeds(access(pathOf(from, false))))) return false
      await writeWhole(to, true, async (half) => {
        await copyFile(pathOf(from, false), half, constants.COPYFILE_EXCL)
        await chmod(half, ownerOnly.file)
      })
      return true
    },
    async remove(name) {
      for (const isPrivate of [true, false]) await rm(pathOf(name, isPrivate), { force: true })
      await rm(thumbnailOf(name), { force: true })
    },
    async *list() {
      for (const isPrivate of [true, false])
        for (const each of await foldersBelow(rootOf(isPrivate)))
          yield (await filesIn(each)).map((file) => ({ ...file, isPrivate }))
    },
    freeBytes: () => freeBytesOf(folder),
  }
}

/** Free bytes on the disk of this folder, which is made if it is not there. */
export async function freeBytesOf(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Written under a temporary name first: it exists whole, or not at all. */
async function keepThumbnail(path: string, bytes: Uint8Array) {
  await mkdir(dirname(path), { recursive: true, mode: ownerOnly.folder })
  const half = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    await writeFile(half, bytes, { mode: ownerOnly.file })
    await rename(half, path)
  } catch (error) {
    await rm(half, { force: true })
    throw error
  }
}

/** Makes a folder of photos readable by its owner alone. Earlier versions left it open. */
export async function restrictImageFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
  const { mode } = await stat(folder)
  if ((mode & 0o077) === 0) return
  for (const each of await foldersBelow(folder)) {
    await chmod(each, ownerOnly.folder)
    for (const { name } of await filesIn(each)) await chmod(join(each, name), ownerOnly.file)
  }
  await chmod(folder, ownerOnly.folder)
}

export type StoredFile = { path: string; name: string; kind: 'public' | 'private' | 'thumbnail' }

/** Every file of a folder of photos, with the name of its photo, the private ones last: a photo may become private meanwhile. */
export async function* storedFiles(folder: string): AsyncGenerator<StoredFile> {
  for (const [kind, root] of [
    ['public', folder],
    ['thumbnail', join(folder, 'thumbnails')],
    ['private', join(folder, 'private')],
  ] as const)
    for (const each of await foldersBelow(root))
      for (const file of await readdir(each).catch(() => []))
        yield {
          path: join(each, file),
          name: kind === 'thumbnail' ? file.replace(/\.webp$/, '') : file,
          kind,
        }
}

const foldersBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => []))
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .map((name) => join(folder, name))

async function filesIn(folder: string): Promise<{ name: string; changedAt: number }[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.map(async (name) => {
    // The file may be removed meanwhile.
    const found = await stat(join(folder, name)).catch(() => undefined)
    return found?.isFile() ? { name, changedAt: found.mtimeMs } : undefined
  })
  return (await Promise.all(files)).filter((file) => file !== undefined)
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** A renamed file survives a power failure only when its folder is synced too. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
