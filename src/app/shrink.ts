/** Longest side, in pixels: enough to recognise a parcel by, and a tenth of what a camera gives. */
const longest = 1280
const quality = 0.82

export class NotAPhoto extends Error {}

/**
 * A picked photo as the bytes worth sending. One the browser cannot decode is kept as it is;
 * a file that is no image at all throws `NotAPhoto`.
 */
export async function shrink(file: File): Promise<{ bytes: ArrayBuffer; type: string }> {
  if (!file.type.startsWith('image/')) throw new NotAPhoto(file.type)
  const original = async () => ({ bytes: await file.arrayBuffer(), type: file.type })
  const small = await redraw(file).catch(() => undefined)
  if (!small || small.size >= file.size) return original()
  return { bytes: await small.arrayBuffer(), type: small.type }
}

async function redraw(file: File): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', quality)
  })
}
