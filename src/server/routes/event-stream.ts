import type { User } from '#domain/users/user.ts'
import type { Log } from '../ports/ports.ts'

/** One open stream. `send` and `end` do nothing once it has ended. */
export type Subscriber = {
  user: User
  authorization: string
  log: Log
  send(text: string): void
  end(): void
}

/** Bytes that may wait for a client that does not read. Then its stream ends, and it connects again. */
const maxUnreadBytes = 64_000

/**
 * The body of one event stream. It is in `subscribers` while it is open; `onCount` hears how many are
 * there after each change.
 */
export function openStream(
  about: Omit<Subscriber, 'send' | 'end'>,
  subscribers: Set<Subscriber>,
  onCount: (open: number) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let subscriber: Subscriber
  const remove = () => {
    subscribers.delete(subscriber)
    onCount(subscribers.size)
  }
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    subscriber = {
      ...about,
      send(text) {
        if ((controller.desiredSize ?? 0) < 0) return subscriber.end()
        controller.enqueue(encoder.encode(text))
      },
      end() {
        if (!subscribers.has(subscriber)) return
        remove()
        controller.close()
      },
    }
    subscribers.add(subscriber)
    onCount(subscribers.size)
    subscriber.send('retry: 3000\nevent: hello\ndata: {}\n\n')
  }
  return new ReadableStream<Uint8Array>(
    { start, cancel: remove },
    new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes }),
  )
}
