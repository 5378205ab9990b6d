import { outboxProgress, outboxSummary, type Progress } from '#store/queries/queries.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { jsonItem } from '../browser/json-storage.ts'
import { useOwn } from './use-live.ts'

/**
 * How much was dealt with of what has waited since the outbox was last empty (S29); null while nothing waits.
 * Where it began is kept for as long as the tab, so that a reload does not begin again.
 */
export function useProgress(): Progress | null | undefined {
  const unsent = useOwn(outboxSummary)?.unsent
  return useOwn(progressInTab, unsent !== undefined && unsent > 0)
}

async function progressInTab(
  db: SomaDb,
  hasUnsent: boolean,
  account?: string,
): Promise<Progress | null> {
  const { get, set, remove } = jsonItem(() => sessionStorage, `outboxFrom:${account}`)
  const from = get()
  const progress = hasUnsent
    ? await outboxProgress(db, typeof from === 'number' ? from : undefined, account)
    : null
  if (progress) set(progress.from)
  else remove()
  return progress
}
