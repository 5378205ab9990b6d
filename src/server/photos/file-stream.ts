import { open } from 'node:fs/promises'

/** Bytes of a file that are in memory at once, for each reader. */
const chunkBytes = 64 * 1024

/** Milliseconds a reader has for one file: 2.7 MB at 3 kB/s. */
const maxDuration = 15 * 60_000

/**
 * A file piece by piece, as fast as its reader takes it. It is open only while a piece is read:
 * a reader that stopped, and is never heard of again, holds nothing.
 */
export function fileStream(path: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  let until = 0
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        until ||= Date.now() + maxDuration
        if (Date.now() > until) throw new Error('The reader took too long')
        const piece = await readChunk(path, at)
        at += piece.length
        if (piece.length > 0) controller.enqueue(piece)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

async function readChunk(path: string, at: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(chunkBytes), 0, chunkBytes, at)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
