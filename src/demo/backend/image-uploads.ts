import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Ports } from '#server/ports/ports.ts'

export type Album = {
  /** The URL of a drawing, as the image provider would have given it. */
  add(svg: string): string
  /** Keeps what was added; no URL may be shown before. */
  keep(): Promise<void>
}

/**
 * Drawings among the photos, under names as the built-in provider makes them. They go past its
 * door, which lets no SVG in: from strangers one may carry a script.
 */
export function albumIn({ images, options }: Pick<Ports, 'images' | 'options'>): Album {
  const added = new Map<string, Uint8Array>()
  return {
    add(svg) {
      const bytes = utf8ToBytes(svg)
      const name = `${bytesToHex(sha256(bytes))}.svg`
      added.set(name, bytes)
      return `${options.imageHost.replace(/\/+$/, '')}/api/images/${name}`
    },
    async keep() {
      await Promise.all([...added].map(([name, bytes]) => images?.put(name, bytes)))
      added.clear()
    },
  }
}
