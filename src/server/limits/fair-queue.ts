import { TooManyAttempts } from './rate-limits.ts'

/** Milliseconds for which served work counts against its caller. */
const recent = 1_000

type Waiting = { works: (() => void)[]; most: number }

/**
 * A fair queue (R142): runs at most `concurrency` pieces of work, at most `most` of one caller. The next caller
 * is the one with the least recent work, then the one served longest ago, so that an occasional caller waits
 * only for what is running, however much others have queued. Throws `TooManyAttempts` when `mostWaiting` of a
 * caller wait.
 */
export function fairQueue(concurrency: number, mostWaiting = Number.POSITIVE_INFINITY) {
  /** Waiting work by caller, ordered by when the caller was last served. */
  const waiting = new Map<string, Waiting>()
  const running = new Map<string, number>()
  const served = new Map<string, number>()
  let all = 0
  let since = 0

  function change(counts: Map<string, number>, caller: string, by: 1 | -1) {
    const count = (counts.get(caller) ?? 0) + by
    if (count > 0) counts.set(caller, count)
    else counts.delete(caller)
  }

  function next(): string | undefined {
    let least = Number.POSITIVE_INFINITY
    let found: string | undefined
    for (const [caller, { most }] of waiting) {
      const had = served.get(caller) ?? 0
      if (had >= least || (running.get(caller) ?? 0) >= most) continue
      least = had
      found = caller
    }
    return found
  }

  function begin(caller: string, { works, most }: Waiting) {
    const work = works.shift()
    waiting.delete(caller)
    if (works.length > 0) waiting.set(caller, { works, most })
    change(served, caller, 1)
    change(running, caller, 1)
    all++
    work?.()
  }

  function proceed() {
    if (performance.now() - since > recent) {
      since = performance.now()
      served.clear()
    }
    while (all < concurrency) {
      const caller = next()
      const found = caller === undefined ? undefined : waiting.get(caller)
      if (caller === undefined || !found) return
      begin(caller, found)
    }
  }

  return async <T>(caller: string, most: number, work: () => Promise<T>): Promise<T> => {
    const own = waiting.get(caller) ?? { works: [], most }
    if (own.works.length >= mostWaiting) throw new TooManyAttempts(1, 'change-queue')
    await new Promise<void>((turn) => {
      own.works.push(turn)
      waiting.set(caller, own)
      proceed()
    })
    try {
      return await work()
    } finally {
      change(running, caller, -1)
      all--
      proceed()
    }
  }
}
