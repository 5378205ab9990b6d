import { open } from 'node:fs/promises'

/** Bytes of a file in memory at once, for each reader. */
const chunkBytes = 64 * 1024

/** Milliseconds a reader has for one file: 2.7 MB at 3 kB/s. */
export const maxDuration = 15 * 60_000

/**
 * A file in chunks, as fast as its reader takes them. It is open only while a chunk is read, so that a
 * reader that stops holds no file handle. `paths`: where it may be; it may be moved while it is read.
 */
export function fileStream(paths: readonly string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  let until = 0
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        until ||= Date.now() + maxDuration
        if (Date.now() > until) throw new Error('The reader took too long')
        const piece = await readChunk(paths, at)
        at += piece.length
        if (piece.length > 0) controller.enqueue(piece)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

async function readChunk(paths: readonly string[], at: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await openFirst(paths)
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(chunkBytes), 0, chunkBytes, at)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function openFirst([path, ...others]: readonly string[]) {
  if (path === undefined) throw new Error('No file to read')
  try {
    return await open(path, 'r')
  } catch (error) {
    if (others.length === 0) throw error
    return openFirst(others)
  }
}
