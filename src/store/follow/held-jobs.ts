import { note } from '#sync/database/device/diagnostics.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { followQuery } from '#sync/platform/follow-query.ts'
import { queueAcknowledgements } from '../deliveries/acknowledgements.ts'
import { entryMaker } from '../entries/new-entry.ts'
import { hasUnacknowledgedCancel } from '../queries/has-stored.ts'
import type { SomaDb } from '../soma-db.ts'

/**
 * Queues that this phone has seen the cancel of its driver's jobs, whatever brought it (S63). Returns how to stop.
 */
export function followHeldJobs({ db, clock, newId }: SyncContext<SomaDb>): () => void {
  const newEntry = entryMaker(newId, () => new Date(clock.now()).toISOString())
  const failed = (error: unknown) => note('A cancel was not confirmed', { error })
  return followQuery(
    () => hasUnacknowledgedCancel(db),
    (some) => some && void queueAcknowledgements(db, newEntry).catch(failed),
  )
}
