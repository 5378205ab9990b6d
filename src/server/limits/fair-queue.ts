type Waiting = { works: (() => void)[]; most: number }

/**
 * Runs at most `concurrency` pieces of work, of one caller at most `most`, and takes the callers in turn: however much
 * one of them has waiting, another waits for what runs at most (R142).
 */
export function fairQueue(concurrency: number) {
  /** What waits, by caller. The caller whose turn is next comes first. */
  const waiting = new Map<string, Waiting>()
  const running = new Map<string, number>()
  let all = 0

  function change(caller: string, by: 1 | -1) {
    const count = (running.get(caller) ?? 0) + by
    if (count > 0) running.set(caller, count)
    else running.delete(caller)
    all += by
  }

  function proceed() {
    for (const [caller, { works, most }] of waiting) {
      if (all >= concurrency) return
      if ((running.get(caller) ?? 0) >= most) continue
      waiting.delete(caller)
      const begin = works.shift()
      // At the end of the map, which this loop reaches again.
      if (works.length > 0) waiting.set(caller, { works, most })
      change(caller, 1)
      begin?.()
    }
  }

  return async <T>(caller: string, most: number, work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((turn) => {
      const others = waiting.get(caller)
      if (others) others.works.push(turn)
      else waiting.set(caller, { works: [turn], most })
      proceed()
    })
    try {
      return await work()
    } finally {
      change(caller, -1)
      proceed()
    }
  }
}
