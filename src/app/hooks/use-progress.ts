import { outboxProgress, type Progress } from '#store/queries/queries.ts'
import { jsonItem } from '../browser/json-storage.ts'
import { useLive } from './use-live.ts'
import { useVisitor } from './use-visitor.ts'

/**
 * How much was dealt with of what has waited since the outbox was last empty (S29); null while nothing waits.
 * Where it began is kept for as long as the tab, so that a reload does not begin again.
 */
export function useProgress(): Progress | null | undefined {
  const account = useVisitor().user?.ID ?? 'guest'
  return useLive(
    async (db) => {
      const { get, set, remove } = jsonItem(() => sessionStorage, `outboxFrom:${account}`)
      const from = get()
      const progress = await outboxProgress(db, typeof from === 'number' ? from : undefined)
      if (progress) set(progress.from)
      else remove()
      return progress
    },
    [account],
  )
}
