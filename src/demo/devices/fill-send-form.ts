import { emptyDraft, type SendDraft } from '#domain/draft.ts'
import type { Soma } from '#sync/open.ts'
import { itemPicture } from '../pictures/pictures.ts'
import { personas } from '../simulation/personas.ts'
import type { PlayerKey } from '../ui/demo-context.ts'

/** Lays a request out in this phone's Send form, as if it had been typed and photographed there. */
export async function fillSendForm(
  { commands }: Soma,
  key: PlayerKey,
  parcel: Partial<SendDraft>,
): Promise<void> {
  const { name, phone } = personas[key]
  const photo = await commands.keepPhoto(
    await photographed(itemPicture('Clothing', 2)),
    'image/jpeg',
  )
  await commands.saveDraft({
    ...emptyDraft,
    ...parcel,
    ...{ senderName: name, senderPhone: phone, photo },
  })
}

/** A drawing as a camera would have taken it: the server takes photos alone, and no SVG. */
async function photographed(svg: string): Promise<ArrayBuffer> {
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
