import { useEffect, useState } from 'react'
import type { Entry } from '#store/entries/operations.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { isHeld } from '#sync/database/entry.ts'
import { useEntry } from '../../../hooks/use-entry.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { pendingOperation } from '../status.tsx'

/** What was done last about a delivery, while it can still be undone (R99); nothing once it may leave. */
export function useHeldEntry(row: DeliveryRow): Entry | undefined {
  const { waits } = useSoma()
  const pending = pendingOperation(row)
  const id = pending?.state === 'waiting' && !pending.withdrawal ? pending.entry : undefined
  const found = useEntry(id)?.entry
  const entry = found && isHeld(found) ? found : undefined
  const [, redraw] = useState(0)
  useEffect(() => {
    const left = entry ? waits.left(entry) : 0
    if (left === 0) return
    const timer = setTimeout(() => redraw((count) => count + 1), left + 20)
    return () => clearTimeout(timer)
  }, [entry, waits])
  return entry && waits.left(entry) > 0 ? entry : undefined
}
