import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageStore } from './gateways.ts'

/** Photos as files of a folder, in 256 folders by the first two letters of their name. */
export function imageFolder(folder: string): ImageStore {
  const place = (name: string) => join(folder, name.slice(0, 2), name)
  return {
    async put(name, bytes) {
      const file = place(name)
      if (await stat(file).catch(() => undefined)) return
      await mkdir(join(folder, name.slice(0, 2)), { recursive: true })
      const half = `${file}.${randomBytes(6).toString('hex')}.new`
      try {
        const handle = await open(half, 'wx')
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(half, file)
        await syncFolder(join(folder, name.slice(0, 2)))
      } catch (error) {
        await rm(half, { force: true })
        throw error
      }
    },
    async get(name) {
      try {
        return new Uint8Array(await readFile(place(name)))
      } catch {
        return undefined
      }
    },
  }
}

/** A name is only sure to outlive a power cut when its folder was written too. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
