import { Refusal } from '#domain/errors.ts'

export type WorkQueue = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `atOnce` pieces of work; the others wait, first come first served. Refusal: unavailable, when more than `longest` wait. */
export function workQueue(concurrency: number, maxWaiting: number): WorkQueue {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= concurrency) {
      if (waiting.length >= maxWaiting) throw new Refusal('unavailable')
      await new Promise<void>((turn) => waiting.push(turn))
    } else running++
    try {
      return await work()
    } finally {
      // The place goes straight to who waits longest.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
