import type { StoredImage } from '../ports/ports.ts'

/** An image whose bytes are in memory. */
export const storedImage = (bytes: Uint8Array<ArrayBuffer>): StoredImage => ({
  size: bytes.length,
  stream: () => new Blob([bytes]).stream(),
})
