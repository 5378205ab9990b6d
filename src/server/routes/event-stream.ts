import type { Receiver } from '../ports/change-events.ts'
import type { Log } from '../ports/ports.ts'
import type { RecentEvent } from './recent-events.ts'

/** One open stream. `send` and `end` do nothing once it has ended. */
export type Subscriber = Receiver & {
  authorization: string
  log: Log
  /** Events that wait until the receiver's rights are read again. */
  held?: RecentEvent[]
  /** How often their rights have changed: what was read before the last change is not taken. */
  changes: number
  send(bytes: Uint8Array): void
  end(): void
}

/** Bytes that may wait for a client that does not read. Then its stream ends, and it connects again. */
export const maxUnreadBytes = 64_000

/**
 * The body of one event stream, which begins with `opening`. It is in `subscribers` while it is open;
 * `onCount` hears how many are there after each change.
 */
export function openStream(
  about: Omit<Subscriber, 'send' | 'end'>,
  opening: Uint8Array[],
  subscribers: Set<Subscriber>,
  onCount: (open: number) => void,
): ReadableStream<Uint8Array> {
  let subscriber: Subscriber
  const remove = () => {
    subscribers.delete(subscriber)
    onCount(subscribers.size)
  }
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    subscriber = {
      ...about,
      send(bytes) {
        if (!subscribers.has(subscriber)) return
        if ((controller.desiredSize ?? 0) < 0) return subscriber.end()
        controller.enqueue(bytes)
      },
      end() {
        if (!subscribers.has(subscriber)) return
        remove()
        controller.close()
      },
    }
    subscribers.add(subscriber)
    onCount(subscribers.size)
    for (const bytes of opening) controller.enqueue(bytes)
  }
  return new ReadableStream<Uint8Array>(
    { start, cancel: remove },
    new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes }),
  )
}
