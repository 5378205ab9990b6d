import { Refusal } from '#domain/errors.ts'
import { imageKindOf } from '#server/photos/image-type.ts'
import type { Uploads } from '#server/ports/ports.ts'

/** For a server in a page: the browser reads the form, and the photo stays as its own client drew it. */
export const pageUploads: Uploads = {
  async read(request, mostBytes) {
    const form = await request.formData().catch(() => {
      throw new Refusal('malformed')
    })
    const file = form.get('file')
    const preset = form.get('upload_preset')
    const asked = {
      preset: typeof preset === 'string' ? preset : undefined,
      discard: async () => {},
    }
    if (!(file instanceof Blob)) return asked
    if (file.size > mostBytes) throw new Refusal('too-large')
    const process = async () => {
      const bytes = new Uint8Array(await file.arrayBuffer())
      const extension = imageKindOf(bytes)
      if (!extension) throw new Refusal('not-an-image')
      return { bytes, extension }
    }
    return { ...asked, file: { size: file.size, process } }
  },
}
