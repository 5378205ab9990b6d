import { emptyDraft, type SendDraft } from '#domain/deliveries/draft.ts'
import type { Soma } from '#store/open.ts'
import { itemPicture } from '../pictures/pictures.ts'
import { type PersonaKey, personas } from '../simulation/personas.ts'

/** Fills the persona's Send form in, with a drawn photo, as if they had typed it. */
export async function fillSendForm(
  { commands }: Soma,
  key: PersonaKey,
  draft: Partial<SendDraft>,
): Promise<void> {
  const { name, phone } = personas[key]
  const photo = await commands.savePhoto(await toJpeg(itemPicture('Clothing', 2)), 'image/jpeg')
  await commands.saveDraft({
    ...emptyDraft,
    ...draft,
    senderName: name,
    senderPhone: phone,
    photo,
  })
}

/** A drawing as JPEG, 600 × 600: the server refuses SVG. Throws when it cannot be drawn. */
async function toJpeg(svg: string): Promise<ArrayBuffer> {
  const image = new Image(600, 600)
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 600, height: 600 })
  canvas.getContext('2d')?.drawImage(image, 0, 0, 600, 600)
  const photo = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.85))
  if (!photo) throw new Error('The picture could not be drawn')
  return photo.arrayBuffer()
}
