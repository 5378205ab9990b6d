import type { Clock } from '#sync/platform/context.ts'

export type TimerClock = ReturnType<typeof createTimerClock>

/** A clock that moves only by `pass` (milliseconds), which runs the timers that fall due. */
export function createTimerClock(start = Date.now()) {
  let time = start
  let last = 0
  const timers = new Map<number, { at: number; work: () => void }>()
  const clock: Clock = {
    now: () => time,
    monotonic: () => time,
    setTimeout: (work, delay) => {
      timers.set(++last, { at: time + Math.max(0, delay), work })
      return last
    },
    clearTimeout: (timer) => void timers.delete(timer as number),
  }
  return {
    ...clock,
    pass(ms: number) {
      const end = time + ms
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= end)
        const [next] = due.sort(([a, one], [b, other]) => one.at - other.at || a - b)
        if (!next) break
        const [timer, { at, work }] = next
        timers.delete(timer)
        time = Math.max(time, at)
        work()
      }
      time = end
    },
    /** How many milliseconds from now each timer falls due. */
    pending: () => [...timers.values()].map(({ at }) => at - time),
  }
}
