import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The SHA-256 of a text, as 64 hex digits. */
export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A pass-through stream that counts and hashes its bytes. */
export function checksumStream() {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  /** Call it once, at the end. */
  const result = () => ({ bytes, sha256: hash.digest('hex') })
  return { stream, result }
}

/** Size and SHA-256 of a file, read in chunks. */
export async function checksumOf(
  file: string,
  signal?: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const { stream, result } = checksumStream()
  stream.resume()
  await pipeline(createReadStream(file), stream, { signal })
  return result()
}
