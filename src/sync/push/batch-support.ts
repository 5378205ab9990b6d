import { note } from '#store/database/device/diagnostics.ts'
import { getState, putState } from '#store/database/device/state.ts'
import type { SyncContext } from '../platform/context.ts'

/** Milliseconds for which a backend without a batch call is not asked for one again. */
const remembered = 60 * 60_000

/** Whether the backend may take a batch, as far as is known. */
export async function takesBatch({ db, clock }: SyncContext): Promise<boolean> {
  const at = await getState(db, 'noBatchAt')
  if (at === undefined) return true
  const ago = clock.monotonic() - at
  // A time to come was stored before the device's clock was set back.
  return ago < 0 || ago > remembered
}

/** Remembers that the backend takes no batch. Never rejects. */
export async function noteNoBatch({ db, clock }: SyncContext): Promise<void> {
  note('The backend takes no batch; entries are sent one by one for an hour')
  try {
    await putState(db, 'noBatchAt', clock.monotonic())
  } catch (error) {
    note('That the backend takes no batch was not stored', { error })
  }
}
