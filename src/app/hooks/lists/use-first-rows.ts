import { useDeferredValue } from 'react'

/** As many rows as fill a large screen. */
const first = 16

/** The rows to draw now: those of the first screen at once, the others in slices after it. */
export function useFirstRows<T>(rows: T[] | undefined): T[] | undefined {
  const count = useDeferredValue(rows?.length ?? 0)
  return rows?.slice(0, Math.max(first, count))
}
