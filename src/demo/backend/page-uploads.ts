import { Refusal } from '#domain/errors.ts'
import { imageKindOf } from '#server/ports/photos/image-type.ts'
import type { Uploads } from '#server/ports/ports.ts'

/**
 * Uploads of a server in a page: the browser parses the form, and the photo is stored as the client
 * sent it. Refusals: malformed, too-large, not-an-image.
 */
export const pageUploads: Uploads = {
  async read(request, mostBytes) {
    const form = await request.formData().catch(() => {
      throw new Refusal('malformed')
    })
    const file = form.get('file')
    const preset = form.get('upload_preset')
    const upload = {
      preset: typeof preset === 'string' ? preset : undefined,
      discard: async () => {},
    }
    if (!(file instanceof Blob)) return upload
    if (file.size > mostBytes) throw new Refusal('too-large')
    const process = async () => {
      const bytes = new Uint8Array(await file.arrayBuffer())
      const extension = imageKindOf(bytes)
      if (!extension) throw new Refusal('not-an-image')
      return { bytes, extension }
    }
    return { ...upload, file: { size: file.size, process } }
  },
}
