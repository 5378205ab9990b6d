import { useSyncExternalStore } from 'react'
import { shortAge } from '../../texts/time.ts'

/** Milliseconds from one look at the clock to the next. */
const interval = 30_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** How long ago something was, as it is said in a list; one clock for all rows, and a row is drawn again when it changes. */
export const useAge = (when: string): string => useSyncExternalStore(follow, () => shortAge(when))

function follow(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const tell of listeners) tell()
  }, interval)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
