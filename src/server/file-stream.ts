import { type FileHandle, open } from 'node:fs/promises'

/** Bytes of a file that are in memory at once, for each reader. */
const chunk = 64 * 1024

/** Milliseconds a reader has for one file: 2.7 MB at 3 kB/s. */
const longest = 15 * 60_000

/**
 * A file piece by piece, as fast as its reader takes it. It is opened when the first piece is asked
 * for, so one that nobody reads holds nothing.
 */
export function fileStream(path: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  let file: FileHandle | undefined
  let until = 0
  const close = async () => {
    await file?.close()
    file = undefined
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          until ||= Date.now() + longest
          if (Date.now() > until) throw new Error('The reader took too long')
          file ??= await open(path, 'r')
          const { bytesRead, buffer } = await file.read(new Uint8Array(chunk), 0, chunk)
          if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
          await close()
          controller.close()
        } catch (error) {
          await close()
          throw error
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}
