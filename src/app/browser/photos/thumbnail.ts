/** Photos of the built-in provider have a thumbnail beside them (R122). */
const photo = /^(https?:\/\/[^/]+\/api\/images\/)([0-9a-f]{64}\.\w+)$/

/** The address of a photo's thumbnail; nothing where there is none. */
export function thumbnailOf(url: string | undefined): string | undefined {
  const [, folder, name] = photo.exec(url ?? '') ?? []
  return folder && name ? `${folder}thumbnails/${name}` : undefined
}
