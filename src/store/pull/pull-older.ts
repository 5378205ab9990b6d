import { reads } from '#contract/reads.ts'
import type { OlderPage } from '#sync/database/engine-db.ts'
import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import { pulledState } from '#sync/lists/pulls.ts'
import { rowId } from '#sync/lists/unreadable.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { credentialsOfReader, type Reader } from '../account/reader.ts'
import { type AskedPage, saveOlderPage } from '../deliveries/save/older-pages.ts'
import type { SomaDb } from '../soma-db.ts'
import { accountList } from './account-lists.ts'
import type { List } from './lists.ts'
import { ask, type Rows } from './pull.ts'
import { failed, serverTimeOf } from './pull-list.ts'

/** How asking for older rows ended. `unreachable`: nobody responded; `failed`: our server had no response. */
export type OlderPull = 'done' | 'unreachable' | 'failed'

const indexes: Record<string, AskedPage['by']> = {
  sent: 'sentAt',
  jobs: 'jobAt',
  available: 'openAt',
}

/** Pages that brought nothing new, or came too late, in a row: another follows up to so many. */
const tries = 30

/**
 * Asks for the page that follows what this phone holds of a list, and on until something new comes or the
 * list ends (S50). Nothing is asked of a list that is held whole.
 */
export async function pullOlder(context: SyncContext<SomaDb>, ref: ListRef): Promise<OlderPull> {
  const list = accountList(ref)
  const reader = await credentialsOfReader(context.db, undefined)
  const by = indexes[ref.kind]
  if (!list || !reader || !by) return 'done'
  try {
    for (let count = 0; count < tries; count++) {
      const before = await pulledState(context.db, reader.account, listKey(ref))
      if (!before?.older) return 'done'
      const { cursor, older } = before
      const asked = { account: reader.account, list: listKey(ref), by, older, cursor }
      if ((await pullPage(context, list, reader, asked)) > 0) return 'done'
    }
    return 'failed'
  } catch (error) {
    const { responded, result } = await failed(context, ref, reader, error)
    return result === 'unreachable' && !responded ? 'unreachable' : 'failed'
  }
}

/** Resolves to how many rows of the page are new on this phone. */
async function pullPage(
  context: SyncContext<SomaDb>,
  list: List,
  { question }: Reader,
  asked: AskedPage & { older: OlderPage },
): Promise<number> {
  const query = { ...list.question?.query, after: asked.older.after }
  const askedAt = context.clock.monotonic()
  const response = await ask(context, reads[list.op], { ...list.question, ...question, query })
  const { deliveries = [], next } = (response.value ?? {}) as Rows
  const before = await pulledState(context.db, asked.account, asked.list)
  const added = await saveOlderPage(context.db, asked, {
    deliveries: deliveries as never,
    next,
    unreadable: response.unreadable.map(rowId),
    serverTime: serverTimeOf(response, before),
    response: {
      account: asked.account,
      askedAt,
      serverAt: context.clock.monotonic(),
      now: context.clock.now(),
    },
  })
  return added ?? 0
}
