import type { Clock } from '../platform/context.ts'
import type { MonotonicTime } from '../time.ts'

/**
 * One round of work at a time. Asked for during one, another follows it and is what the asker waits
 * for: the first may have passed already what they asked it for. `round` resolves to when the next is
 * due (S46), and never rejects.
 */
export function createRounds(clock: Clock, round: () => Promise<MonotonicTime>) {
  let timer: unknown
  let running: Promise<void> | undefined
  /** The round that follows the running one, when somebody has asked for it. */
  let following: Promise<void> | undefined
  let isStopped = true

  function run(): Promise<void> {
    if (isStopped) return Promise.resolve()
    if (running) {
      following ??= running.then(() => {
        following = undefined
        return run()
      })
      return following
    }
    clock.clearTimeout(timer)
    running = round()
      .then(schedule)
      .finally(() => {
        running = undefined
      })
    return running
  }

  function schedule(at: number) {
    if (isStopped || following || at === Number.POSITIVE_INFINITY) return
    const delay = Math.min(Math.max(at - clock.monotonic(), 250), 5 * 60_000)
    timer = clock.setTimeout(() => void run(), delay)
  }

  return {
    run,
    start: () => {
      isStopped = false
    },
    /** Resolves when the running round has ended; none follows. */
    stop: async () => {
      isStopped = true
      clock.clearTimeout(timer)
      await running
    },
    isStopped: () => isStopped,
    /** Resolves when no round is running or asked for. */
    settled: () => following ?? running ?? Promise.resolve(),
  }
}
