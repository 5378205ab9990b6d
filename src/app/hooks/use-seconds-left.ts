import type { Entry } from '#store/deliveries/operations.ts'
import { useNow } from './use-now.ts'

/** Whole seconds in which an entry can still be undone (S60); 0 once it may leave, and without an entry. */
export function useSecondsLeft(entry: Entry | undefined): number {
  const now = useNow(500)
  if (!entry) return 0
  const { held, state, attempts, nextAt } = entry
  const isHeld = held && state === 'waiting' && attempts === 0
  return isHeld ? Math.max(0, Math.ceil((nextAt - now) / 1_000)) : 0
}
