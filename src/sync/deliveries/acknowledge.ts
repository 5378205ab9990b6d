import { note } from '#store/database/device/diagnostics.ts'
import { queueAcknowledgements } from '#store/deliveries/acknowledgements.ts'
import { entryMaker } from '#store/deliveries/new-entry.ts'
import { holdsHeldJob } from '#store/queries/held.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { SyncContext } from '../platform/context.ts'
import { followQuery } from '../platform/follow-query.ts'

/**
 * Queues that this phone has seen the cancel of its driver's jobs, whatever brought it (S63). Returns how to stop.
 */
export function followHeldJobs({ db, clock, newId }: SyncContext<SomaDb>): () => void {
  const newEntry = entryMaker(newId, () => new Date(clock.now()).toISOString())
  const failed = (error: unknown) => note('A cancel was not confirmed', { error })
  return followQuery(
    () => holdsHeldJob(db),
    (some) => some && void queueAcknowledgements(db, newEntry).catch(failed),
  )
}
