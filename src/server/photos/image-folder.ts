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
} from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageStore } from '../ports/ports.ts'
import { fileStream } from './file-stream.ts'

const ownerOnly = { folder: 0o700, file: 0o600 }

/**
 * Photos as files below `folder`, in 256 folders by the first two letters of their name; private
 * ones in as many folders below `private`.
 */
export function imageFolder(folder: string): ImageStore {
  const rootOf = (isPrivate: boolean) => (isPrivate ? join(folder, 'private') : folder)
  const folderOf = (name: string, isPrivate: boolean) => join(rootOf(isPrivate), name.slice(0, 2))
  const pathOf = (name: string, isPrivate: boolean) => join(folderOf(name, isPrivate), name)

  /** Makes a file under a name of its own and then gives it the right one: it is there whole, or not at all. */
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

  return {
    async put(name, bytes, isPrivate = false) {
      const now = new Date()
      // The sweep goes by this time: what is sent again is not old.
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
      for (const path of isPrivate
        ? [pathOf(name, true), pathOf(name, false)]
        : [pathOf(name, false)]) {
        const found = await stat(path).catch(() => undefined)
        if (found?.isFile()) return { size: found.size, stream: () => fileStream(path) }
      }
      return undefined
    },
    async hide(name) {
      if (!(await succeeds(access(pathOf(name, false))))) return
      await mkdir(folderOf(name, true), { recursive: true, mode: ownerOnly.folder })
      // Another process may have been quicker.
      if (!(await succeeds(rename(pathOf(name, false), pathOf(name, true))))) return
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
    },
    async *list() {
      for (const isPrivate of [true, false])
        for (const each of await foldersBelow(rootOf(isPrivate)))
          yield (await filesIn(each)).map((file) => ({ ...file, isPrivate }))
    },
    async freeBytes() {
      await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
  }
}

/** Closes a folder of photos to everybody else; earlier versions left it open. */
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

const foldersBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => []))
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .map((name) => join(folder, name))

async function filesIn(folder: string): Promise<{ name: string; changedAt: number }[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.map(async (name) => {
    // It may be removed while this looks.
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

/** A name is only sure to outlive a power cut when its folder was written too. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
