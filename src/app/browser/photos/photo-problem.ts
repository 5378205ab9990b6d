/** Why the browser could not decode a file as a photo, in words for the person. Never rejects. */
export async function photoProblem(file: Blob): Promise<string> {
  const head = await firstBytes(file)
  if (!head) return 'That photo could not be read. Download it to this phone first, then choose it.'
  return isHeic(head)
    ? 'This browser cannot open HEIC photos. Tap “Take photo”, or choose a JPEG.'
    : 'That file is not a photo we can use.'
}

/** The beginning of a file as text. Nothing of one that stays in a cloud: it is empty, or cannot be read at its end. */
async function firstBytes(file: Blob): Promise<string | undefined> {
  if (file.size === 0) return undefined
  try {
    await file.slice(-1).arrayBuffer()
    return new TextDecoder('latin1').decode(await file.slice(0, 12).arrayBuffer())
  } catch {
    return undefined
  }
}

/** By the brand in its first box (ISO/IEC 23008-12): a type or an ending may be missing or wrong. */
const isHeic = (head: string) => /^.{4}ftyp(hei|hev|mif1|msf1)/s.test(head)
