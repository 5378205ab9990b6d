import { Refusal } from '#domain/errors.ts'
import { photoProblem } from './photo-problem.ts'

/** The longest side in pixels: enough to recognise a parcel, at about a tenth of a camera file's bytes. */
const maxSide = 1280
/** JPEG qualities, tried in turn until the new file is not bigger than the original. */
const qualities = [0.82, 0.7, 0.55]

/**
 * Resizes a photo to `maxSide` and encodes it as JPEG. It is always re-encoded, because a camera's file
 * holds the place and time of the shot. Its type may be missing: the browser looks at the bytes. Refusal: not-an-image, with
 * the reason in words, for a file that it cannot decode.
 */
export async function resizeImage(file: Blob): Promise<{ bytes: ArrayBuffer; type: string }> {
  const canvas = await drawScaled(file)
  let smallest: Blob | undefined
  for (const quality of qualities) {
    const blob = await encode(canvas, quality)
    if (!smallest || blob.size < smallest.size) smallest = blob
    if (smallest.size <= file.size) break
  }
  if (!smallest) throw new Error('The photo could not be drawn')
  return { bytes: await smallest.arrayBuffer(), type: smallest.type }
}

async function drawScaled(file: Blob): Promise<HTMLCanvasElement> {
  const image = await decode(file)
  const scale = Math.min(1, maxSide / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  const brush = canvas.getContext('2d')
  if (!brush) throw new Error('The photo could not be drawn')
  // JPEG has no transparency: without a background, transparent pixels become black.
  brush.fillStyle = 'white'
  brush.fillRect(0, 0, canvas.width, canvas.height)
  brush.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  return canvas
}

async function decode(file: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file)
  } catch {
    throw new Refusal('not-an-image', await photoProblem(file))
  }
}

const encode = (canvas: HTMLCanvasElement, quality: number): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The photo could not be drawn'))),
      'image/jpeg',
      quality,
    )
  })
