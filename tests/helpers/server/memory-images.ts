import { storedImage } from '#server/photos/stored-image.ts'
import type { ImageStore } from '#server/ports/ports.ts'

/** An image store in memory; every photo in it is public. */
export function memoryImages(photos = new Map<string, Uint8Array<ArrayBuffer>>()): ImageStore {
  return {
    put: async (name, bytes) => void photos.set(name, new Uint8Array(bytes)),
    open: async (name) => {
      const bytes = photos.get(name)
      return bytes && storedImage(bytes)
    },
    hide: async () => undefined,
    copyToPrivate: async (from, to) => {
      const bytes = photos.get(from)
      if (bytes) photos.set(to, bytes)
      return bytes !== undefined
    },
    remove: async (name) => void photos.delete(name),
    async *list() {
      yield [...photos.keys()].map((name) => ({ name, isPrivate: false, changedAt: 0 }))
    },
    freeBytes: async () => Number.POSITIVE_INFINITY,
  }
}
