/** The kinds of photo that are stored, by their file extension. */
const types = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
} as const
type ImageKind = keyof typeof types
export const imageKinds = Object.keys(types)

/** The kind of photo by its first bytes; `undefined` when it is none. */
export function imageKindOf(bytes: Uint8Array): ImageKind | undefined {
  const at = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (at(0, 3) === '\xff\xd8\xff') return 'jpg'
  if (at(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (at(0, 4) === 'RIFF' && at(8, 12) === 'WEBP') return 'webp'
  if (at(0, 6) === 'GIF87a' || at(0, 6) === 'GIF89a') return 'gif'
  if (at(4, 8) === 'ftyp' && ['avif', 'avis'].includes(at(8, 12))) return 'avif'
  return undefined
}

/** The content type of a photo by its file name; `undefined` when it is none. */
export function contentTypeOf(name: string): string | undefined {
  const kind = name.split('.').at(-1) ?? ''
  return Object.hasOwn(types, kind) ? types[kind as ImageKind] : undefined
}
