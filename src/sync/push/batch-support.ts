import { note } from '../database/device/diagnostics.ts'
import { getState, putState } from '../database/device/state.ts'
import type { SyncContext } from '../platform/context.ts'

/** Entries in one batch, at most. */
export const batchSize = 50
/** After so many batches that nobody responded to, though a read had a response, entries are sent one by one. */
const mostSilent = 2

/** Contexts of pages that have sent before: what an earlier page saw of the backend is forgotten (S41). */
const hasSent = new WeakSet<SyncContext>()

/**
 * Whether entries leave in batches: until the backend has said that it takes none, or two have met silence.
 * A page that opens tries anew; a worker, which starts for every try, goes on from what was seen before.
 */
export async function takesBatch(context: SyncContext): Promise<boolean> {
  const isNew = !context.isWorker && !hasSent.has(context)
  hasSent.add(context)
  const silent = await getState(context.db, 'silentBatches')
  if (isNew && silent !== undefined) await putState(context.db, 'silentBatches', 0)
  return isNew || (silent ?? 0) < mostSilent
}

/** The backend takes no batch. Never rejects. */
export async function noteNoBatch(context: SyncContext): Promise<void> {
  note('The backend takes no batch; entries are sent one by one until the app starts again')
  await store(context, mostSilent)
}

/**
 * A batch met silence though a read had a response: something between cuts off what it does not like. Returns
 * whether batches go on. Never rejects.
 */
export async function noteSilentBatch(context: SyncContext): Promise<boolean> {
  const count = ((await getState(context.db, 'silentBatches').catch(() => 0)) ?? 0) + 1
  if (count >= mostSilent) note('Batches meet silence; entries are sent one by one')
  await store(context, count)
  return count < mostSilent
}

async function store({ db }: SyncContext, count: number): Promise<void> {
  try {
    await putState(db, 'silentBatches', count)
  } catch (error) {
    note('What is known of batches was not stored', { error })
  }
}
