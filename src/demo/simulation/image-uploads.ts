import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Ports } from '#server/ports/ports.ts'

export type ImageUploads = {
  /** Takes an SVG and returns the URL that it will have once stored. */
  add(svg: string): string
  /** Stores what was added. Must be awaited before a URL is shown. */
  store(): Promise<void>
}

/**
 * Stores drawings among the photos, named by their hash as the image provider names them. They do
 * not pass its upload route, which refuses SVG because one from a stranger may carry a script.
 */
export function imageUploadsTo({
  images,
  options,
}: Pick<Ports, 'images' | 'options'>): ImageUploads {
  const added = new Map<string, Uint8Array>()
  return {
    add(svg) {
      const bytes = utf8ToBytes(svg)
      const name = `${bytesToHex(sha256(bytes))}.svg`
      added.set(name, bytes)
      return `${options.imageHost.replace(/\/+$/, '')}/api/images/${name}`
    },
    async store() {
      await Promise.all([...added].map(([name, bytes]) => images?.put(name, bytes)))
      added.clear()
    },
  }
}
