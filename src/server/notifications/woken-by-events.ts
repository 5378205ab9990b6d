import type { Ports } from '../ports/ports.ts'

/** `interval`: milliseconds between two passes without events; `pause`: while events arrive. */
type Pace = { interval: number; pause: number }

/**
 * Does work soon after an event, and every `interval` milliseconds; one pass at a time. What fails is given to `failed`.
 * Returns the function that stops it and waits for the running pass, which can ask whether it is over.
 */
export function wokenByEvents(
  { repo }: Pick<Ports, 'repo'>,
  { interval, pause }: Pace,
  work: (isOver: () => boolean) => Promise<unknown>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  let isOver = false
  let isAwaited = false
  let underWay: Promise<void> | undefined
  const pass = async () => {
    try {
      while (isAwaited && !isOver) {
        isAwaited = false
        await work(() => isOver)
        if (isAwaited) await new Promise((later) => setTimeout(later, pause))
      }
    } catch (error) {
      if (!isOver) failed(error)
    }
    underWay = undefined
  }
  const wake = () => {
    isAwaited = true
    if (!isOver) underWay ??= pass()
  }
  // What is due is written in the transactions that publish events.
  const unsubscribe = repo.listen(wake, wake)
  wake()
  const timer = setInterval(wake, interval)
  if (typeof timer === 'object') timer.unref()
  return async () => {
    isOver = true
    clearInterval(timer)
    unsubscribe()
    await underWay
  }
}
