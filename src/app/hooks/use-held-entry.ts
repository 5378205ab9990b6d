import { useEffect, useState } from 'react'
import type { Entry } from '#store/deliveries/operations.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { pendingOperation } from '../components/delivery/status.tsx'
import { useEntry } from './use-entry.ts'

/** What was done last about a delivery, while it can still be undone (R99); nothing once it may leave. */
export function useHeldEntry(row: DeliveryRow): Entry | undefined {
  const pending = pendingOperation(row)
  const id = pending?.state === 'waiting' && !pending.takingBack ? pending.entry : undefined
  const entry = useEntry(id)?.entry
  const isWaiting = entry?.held && entry.state === 'waiting' && entry.attempts === 0
  return useIsAhead(isWaiting ? entry.nextAt : 0) ? entry : undefined
}

/** Whether this moment, in milliseconds since 1970, is still to come; draws again when it has come. */
function useIsAhead(at: number): boolean {
  const [, setPassed] = useState(0)
  useEffect(() => {
    const left = at - Date.now()
    if (left <= 0) return
    const timer = setTimeout(() => setPassed(at), left + 20)
    return () => clearTimeout(timer)
  }, [at])
  return at > Date.now()
}
