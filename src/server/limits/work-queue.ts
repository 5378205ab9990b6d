import { Refusal } from '#domain/errors.ts'

type WorkQueue = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `concurrency` pieces of work; others wait in order. Refusal: unavailable, when `maxWaiting` wait. */
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
      // The place goes to the work that waits longest.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
