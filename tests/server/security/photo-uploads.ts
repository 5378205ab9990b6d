import { present, type TestServer } from '../../helpers/server/server.ts'

/** A JPEG of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export function formWithPhoto(preset: string): FormData {
  const form = new FormData()
  form.set('upload_preset', preset)
  form.set('file', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), 'photo.png')
  return form
}

/** The paths of a public photo and of an ID photo, which only admins see (R55). */
export async function uploadedPhotos(server: TestServer) {
  const upload = async (preset: string): Promise<string | undefined> => {
    const answer = await server.raw('POST', '/images/upload', { body: formWithPhoto(preset) })
    const { secure_url } = await answer.json()
    return secure_url && new URL(secure_url).pathname
  }
  const privatePhoto = await upload('soma-id')
  return { privatePhoto, publicPhoto: present(await upload('soma')) }
}
