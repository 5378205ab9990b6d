import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { photoUploads } from '#server/photos/uploads.ts'
import type { Ports } from '#server/ports/ports.ts'

/** The real server's uploads: photos are decoded and encoded anew (R66). The folder is empty afterwards. */
export const decodingUploads = (): Pick<Ports, 'uploads'> => ({
  uploads: photoUploads(join(tmpdir(), `soma-arriving-${process.pid}`)),
})

/** A grey picture with grain, so that no two of a different `seed` have the same bytes. */
export async function picture(
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' = 'jpeg',
  { width = 64, height = 48, seed = 1 } = {},
): Promise<Buffer> {
  const pixels = new Uint8Array(width * height * 3)
  let state = seed
  for (let at = 0; at < pixels.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    pixels[at] = 90 + (state >>> 24) / 2
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer()
}

/** An upload form as the app sends it. */
export function photoForm(file: Uint8Array | undefined, preset?: string, name = 'photo'): FormData {
  const form = new FormData()
  if (file) form.set('file', new Blob([new Uint8Array(file)], { type: 'text/html' }), name)
  if (preset) form.set('upload_preset', preset)
  return form
}
