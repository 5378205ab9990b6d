import { TooManyAttempts } from './rate-limits.ts'

/** Does works of the same name one after another, in the order they came. Throws `TooMany` when `most` wait. */
export function keyedQueue(maxWaiting: number) {
  const queues = new Map<string, { waiting: number; last: Promise<unknown> }>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(name) ?? { waiting: 0, last: Promise.resolve() }
    if (queue.waiting >= maxWaiting) throw new TooManyAttempts(1)
    queues.set(name, queue)
    queue.waiting++
    const done = queue.last.then(work)
    queue.last = done.catch(() => undefined)
    try {
      return await done
    } finally {
      queue.waiting--
      if (queue.waiting === 0) queues.delete(name)
    }
  }
}
