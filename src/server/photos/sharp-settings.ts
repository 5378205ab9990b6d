import sharp from 'sharp'

/*
 * Settings of libvips for the whole process.
 *
 * - It decodes SVG, PDF and more by their content. Uploads come from strangers, so every decoder but those
 *   of photos is blocked. `assertSharpSettings` checks that at the start of the server; if a release of
 *   sharp renamed the operations, the server would not start. Uploads are checked by their first bytes
 *   before that (`imageKindOf`).
 * - It caches nothing and uses one thread for a photo, because a server has little memory and few cores.
 */
sharp.cache(false)
sharp.concurrency(1)
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

export { sharp }

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

/** Throws when a drawing can be decoded or a photo cannot. */
export async function assertSharpSettings(): Promise<void> {
  const canDecode = (image: Buffer) =>
    sharp(image)
      .metadata()
      .then(
        () => true,
        () => false,
      )
  const background = { r: 0, g: 0, b: 0 }
  const photo = await sharp({ create: { width: 1, height: 1, channels: 3, background } })
    .jpeg()
    .toBuffer()
  if ((await canDecode(Buffer.from(svg))) || !(await canDecode(photo)))
    throw new Error('The settings of sharp do not apply: drawings are decoded or photos are not')
}
