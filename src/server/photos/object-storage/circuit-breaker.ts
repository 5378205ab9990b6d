/** Requests that failed in a row, and the milliseconds for which no other is made then. */
const limits = { failures: 3, pause: 5_000 }

/**
 * Remembers that every request fails, so that callers do not wait for one more that will. One that
 * succeeds closes the circuit again.
 */
export function circuitBreaker<E>({ failures, pause } = limits) {
  let inARow = 0
  let last: { error: E; at: number } | undefined
  return {
    succeeded() {
      inARow = 0
      last = undefined
    },
    failed(error: E) {
      inARow++
      last = { error, at: performance.now() }
    },
    /** The last failure, while no request should be made. */
    openBy(): E | undefined {
      const isOpen = inARow >= failures && last && performance.now() - last.at < pause
      return isOpen ? last?.error : undefined
    },
  }
}
