import { hasContent } from '#domain/deliveries/draft.ts'
import { unsentStates } from '#sync/database/entry.ts'
import { currentSession } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import { itemKeys } from '../queries.ts'

/** How much of the person logged in has not reached the server: items, and a request being typed. */
export async function countUnsynced(db: SomaDb): Promise<number> {
  const session = await currentSession(db)
  if (!session) return 0
  const { account } = session
  const keys = await Promise.all(
    [...unsentStates, 'refused' as const].map((state) => itemKeys(db, account, state)),
  )
  const entries = keys.flat().length
  const draft = await db.drafts.get([account, 'send'])
  return entries + (draft && hasContent(draft.value) ? 1 : 0)
}
