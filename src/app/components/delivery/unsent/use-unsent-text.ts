import { syncStatus } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { useSecondsLeft } from '../../../hooks/time/use-seconds-left.ts'
import { useWaitsForWifi } from '../../../hooks/use-data-saver.ts'
import { useEntry } from '../../../hooks/use-entry.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { saidOfUnsent, type Unsent } from '../../../texts/next-step.ts'
import { isPaused, pendingOperation } from '../status.tsx'

/**
 * Says in a text why a change is not sent yet: it waits, is on its way, or can still be undone. `row`: the delivery that
 * it is about, if any.
 */
export function useUnsentText(row?: DeliveryRow): (text: string) => string {
  const why = useWhyUnsent(row)
  return (text) => saidOfUnsent(text, why)
}

function useWhyUnsent(row: DeliveryRow | undefined): Unsent {
  const { expired } = useVisitor()
  const waitsForWifi = useWaitsForWifi(row)
  const isOffline = useLive(syncStatus)?.reachable === false
  const pending = row && pendingOperation(row)
  const left = useSecondsLeft(useEntry(pending?.entry)?.entry)
  if (left > 0) return 'undoable'
  if (expired) return 'login'
  if (waitsForWifi) return 'wifi'
  if (isPaused(pending)) return 'paused'
  if (isOffline) return 'offline'
  return pending === undefined || pending.state === 'waiting' ? 'sending' : 'retrying'
}
