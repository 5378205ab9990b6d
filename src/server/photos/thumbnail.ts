import { workQueue } from '../limits/work-queue.ts'
import { sharp } from './sharp-settings.ts'

/** Pixels of each side: lists show a photo in a square of at most 80, on screens of twice the density. */
const side = 160
/** Bytes of a thumbnail (R122). */
const maxBytes = 8_000
/** Tried one after the other, until the thumbnail is small enough; the last always is. */
const qualities = [70, 50, 30, 10]

const queued = workQueue(1, 64)

/** A square WebP of at most 8 kB of the photo in this file (R122). Rejects when it cannot be decoded. */
export const makeThumbnail = (path: string): Promise<Uint8Array> =>
  queued(async () => {
    const square = await sharp(path, { failOn: 'none' })
      .resize({ width: side, height: side, fit: 'cover' })
      .png()
      .toBuffer()
    for (const quality of qualities) {
      const made = await sharp(square).webp({ quality, effort: 4 }).toBuffer()
      if (made.length <= maxBytes) return made
    }
    return sharp(square).blur(4).webp({ quality: 1 }).toBuffer()
  })
