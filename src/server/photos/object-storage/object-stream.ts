import { maxDuration } from '../file-stream.ts'

/** Part of an object: its bytes, and the size of the whole. */
export type Chunk = { bytes: Uint8Array<ArrayBuffer>; size: number }

/**
 * An object in chunks, as fast as its reader takes them. Each is read by a request of its own, so that a
 * reader that stops holds no connection to the storage. `first` begins the object; `read` gives the chunk
 * from this byte on, or `undefined` when there is none any more.
 */
export function objectStream(
  first: Chunk,
  read: (from: number) => Promise<Chunk | undefined>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  let until = 0
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        until ||= Date.now() + maxDuration
        if (Date.now() > until) throw new Error('The reader took too long')
        if (at >= first.size) return controller.close()
        const chunk = at === 0 ? first : await read(at)
        if (!chunk || chunk.bytes.length === 0 || chunk.size !== first.size)
          throw new Error('The photo was removed while it was read')
        at += chunk.bytes.length
        controller.enqueue(chunk.bytes)
        if (at >= first.size) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
