import { open } from 'node:fs/promises'
import { Refusal } from '#domain/errors.ts'
import { workQueue } from '../limits/work-queue.ts'
import { imageKindOf } from '../ports/photos/image-type.ts'
import { sharp } from './sharp-settings.ts'

/** The most pixels that are decoded at all (R66). */
const maxPixels = 50_000_000
/** The most pixels of a photo that is decoded in memory as a whole, at four to six bytes a pixel. */
const maxPixelsInMemory = 20_000_000
/** Pixels of the longer side of a stored photo (R66). */
const longestSide = 1_600
const quality = 82
/** Seconds that one photo may take. */
const timeoutSeconds = 30

/** One photo at a time: it may take 100 MB and one of the four threads that files and passwords need too. */
const queued = workQueue(1, 32)

/**
 * Decodes the photo in this file and encodes it anew: upright, small, without metadata (R66).
 * Refusals: not-an-image, unavailable.
 */
export async function processPhoto(path: string): Promise<Uint8Array> {
  const kind = imageKindOf(await firstBytes(path, 16))
  if (!kind) throw new Refusal('not-an-image')
  return queued(async () => {
    await assertDecodable(path)
    try {
      return await reencode(path, 'error')
    } catch {
      if (kind !== 'jpg') throw new Refusal('not-an-image')
      return reencodeTruncated(path)
    }
  })
}

/** Checks the size that the header declares before anything is decoded. Refusal: not-an-image. */
async function assertDecodable(path: string) {
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  const { width = 0, height = 0, format = '', isProgressive } = header ?? {}
  const isByRows = ['jpeg', 'png'].includes(format) && !isProgressive
  const most = isByRows ? maxPixels : maxPixelsInMemory
  if (width < 1 || height < 1 || width * height > most) throw new Refusal('not-an-image')
}

const reencode = (path: string, failOn: 'error' | 'none') =>
  sharp(path, { limitInputPixels: maxPixels, failOn })
    .timeout({ seconds: timeoutSeconds })
    .autoOrient()
    .resize({
      width: longestSide,
      height: longestSide,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality })
    .toBuffer()

/** The share of a photo's rows that may be missing at its end. */
const maxMissingShare = 0.1

/**
 * Encodes a JPEG that ends too soon, as cameras that lose power write them, when nearly all of the picture
 * is there. Refusal: not-an-image.
 */
async function reencodeTruncated(path: string): Promise<Uint8Array> {
  const kept = await reencode(path, 'none').catch(() => {
    throw new Refusal('not-an-image')
  })
  if ((await missingShare(kept)) > maxMissingShare) throw new Refusal('not-an-image')
  return kept
}

/** The share of rows that could not be decoded: the library fills them with one grey. */
async function missingShare(photo: Uint8Array): Promise<number> {
  const side = 100
  const pixels = await sharp(photo)
    .resize({ width: side, height: side, fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer()
  const row = pixels.length / side
  const isGrey = (value: number) => Math.abs(value - 128) <= 3
  let missing = 0
  while (missing < side) {
    const end = pixels.length - missing * row
    if (!pixels.subarray(end - row, end).every(isGrey)) break
    missing++
  }
  return missing / side
}

async function firstBytes(path: string, length: number): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
