/** Milliseconds since 1970 by a clock that is never set, of one page or worker: all waiting is measured by it (S46). */
export type MonotonicTime = number
