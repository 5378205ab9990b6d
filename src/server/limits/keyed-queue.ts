import { TooManyAttempts } from './rate-limits.ts'

/**
 * Runs work of the same key one after another, in order. Throws `TooManyAttempts` of the limit `name` when
 * `maxWaiting` wait.
 */
export function keyedQueue(maxWaiting: number, name: string) {
  const queues = new Map<string, { waiting: number; last: Promise<unknown> }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { waiting: 0, last: Promise.resolve() }
    if (queue.waiting >= maxWaiting) throw new TooManyAttempts(1, name)
    queues.set(key, queue)
    queue.waiting++
    const done = queue.last.then(work)
    queue.last = done.catch(() => undefined)
    try {
      return await done
    } finally {
      queue.waiting--
      if (queue.waiting === 0) queues.delete(key)
    }
  }
}
