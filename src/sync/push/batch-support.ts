import { note } from '#store/database/device/diagnostics.ts'
import { getState, putState } from '#store/database/device/state.ts'
import type { OutboxEntry } from '#store/outbox/entry.ts'
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

/** Entries in one batch: at most, and where answers break off. */
const largest = 100
const smallest = 10
/** By database, while the page is open. */
const sizes = new WeakMap<object, number>()

/** How many entries the next batch may have (S41). */
export const batchSizeOf = ({ db }: SyncContext): number => sizes.get(db) ?? largest

/** An answer that breaks off halves the batches that follow; one that comes whole doubles them again. */
export function noteBatchEnd(context: SyncContext, isWhole: boolean): void {
  const size = batchSizeOf(context) * (isWhole ? 2 : 0.5)
  sizes.set(context.db, Math.min(largest, Math.max(smallest, Math.floor(size))))
}

/** Failures of the server after which an entry shares its request with few others, and with nobody. */
const fewAfter = 3
const aloneAfter = 6
const few = 10

/**
 * Names who may share a request with an entry: one that breaks the whole request, again and again, holds
 * up no more than ten others, then none (S41).
 */
export function suspectsOf({ id, seq, failures }: OutboxEntry): string {
  if (failures >= aloneAfter) return id
  return failures >= fewAfter ? `${Math.floor(seq / few)}` : ''
}
