/** Longest side, in pixels: enough to recognise a parcel by, and a tenth of what a camera gives. */
const maxSide = 1280
/** The next is tried as long as the redraw is bigger than the file it is made of. */
const qualities = [0.82, 0.7, 0.55]

export class NotAnImageError extends Error {}

/**
 * A picked photo as the bytes worth sending: always drawn anew, because a camera's file also says where
 * and when it was taken. Throws `NotAPhoto` for what the browser cannot decode.
 */
export async function resizeImage(file: Blob): Promise<{ bytes: ArrayBuffer; type: string }> {
  if (!file.type.startsWith('image/')) throw new NotAnImageError(file.type)
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
  // A JPEG has no transparency: what is see-through would turn black.
  brush.fillStyle = 'white'
  brush.fillRect(0, 0, canvas.width, canvas.height)
  brush.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  return canvas
}

async function decode(file: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file)
  } catch (cause) {
    throw new NotAnImageError(file.type, { cause })
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
