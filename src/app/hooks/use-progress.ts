import { outboxProgress, outboxSummary, type Progress } from '#store/queries/queries.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { jsonItem } from '../browser/json-storage.ts'
import { useOwn } from './use-live.ts'

/**
 * The share of entries sent since the outbox was last empty (S29); null while none waits. Its start is stored
 * for the tab's lifetime, so that a reload continues it.
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
