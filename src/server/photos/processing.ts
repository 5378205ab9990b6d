import { open } from 'node:fs/promises'
import sharp from 'sharp'
import { Refusal } from '#domain/errors.ts'
import { workQueue } from '../limits/work-queue.ts'
import { imageKindOf } from './image-type.ts'

// Nothing decoded is kept, and one photo takes one thread: a server has few.
sharp.cache(false)
sharp.concurrency(1)
// The library reads SVG, PDF and more, and tells them by their content. None of that is for strangers.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
})

/** Width times height that is decoded at all. */
const maxPixels = 50_000_000
/** Of a photo that cannot be decoded row by row: it is in memory whole, with four to six bytes a pixel. */
const maxPixelsInMemory = 20_000_000
/** Pixels of the longer side of what is kept. */
const longestSide = 1_600
const quality = 82
/** Seconds one photo may take. */
const timeoutSeconds = 30

/** One at a time: a large one may take 100 MB, and its thread is one of four that files and passwords need too. */
const queued = workQueue(1, 32)

/**
 * Decodes a photo and writes it anew: upright, small, and with nothing in it but the picture.
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

/** By its header alone: what it declares is what decoding would cost. Refusal: not-an-image. */
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

/** Share of a photo's rows that may be missing at its end. */
const maxMissingShare = 0.1

/**
 * A camera that lost power, or a program that left out the last bytes, made a JPEG that ends too
 * soon. It is taken when nearly all of the picture is there. Refusal: not-an-image.
 */
async function reencodeTruncated(path: string): Promise<Uint8Array> {
  const kept = await reencode(path, 'none').catch(() => {
    throw new Refusal('not-an-image')
  })
  if ((await missingShare(kept)) > maxMissingShare) throw new Refusal('not-an-image')
  return kept
}

/** What could not be decoded is one grey from there to the end. */
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
