import { hasContent } from '#domain/deliveries/draft.ts'
import { currentSession } from '../account/account.ts'
import { unsentKeys } from '../outbox/unsent.ts'
import type { SomaDb } from '../soma-db.ts'

/** How much of the person logged in has not reached the server: entries, and a request being typed. */
export async function countUnsynced(db: SomaDb): Promise<number> {
  const session = await currentSession(db)
  if (!session) return 0
  const { account } = session
  const keys = [...unsentKeys(account), [account, 'refused']]
  const entries = await db.outbox.where('[account+state]').anyOf(keys).count()
  const draft = await db.drafts.get([account, 'send'])
  return entries + (draft && hasContent(draft.value) ? 1 : 0)
}
