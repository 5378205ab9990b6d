import type { OperationName } from '#operations/index.ts'
import { mayHaveArrived } from '#sync/database/entry.ts'
import { unsentEntries } from '#sync/outbox/unsent.ts'
import { isCreate } from '../../deliveries/project.ts'
import type { Entry } from '../../entries/operations.ts'
import { currentAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'

/** What would become of an unsent entry whose person logs out and discards it (S56). */
export type Discarded = {
  entry: string
  op: OperationName
  title: string
  /** False: it never left this phone, and is forgotten. True: it may be with the server. */
  mayHaveArrived: boolean
}

/** Each unsent item of whoever is logged in, in the order they were made. */
export async function discardPreview(db: SomaDb, account?: string): Promise<Discarded[]> {
  const entries = await unsentEntries(db, account ?? (await currentAccount(db)))
  return entries
    .filter(({ isPart }) => !isPart)
    .map((entry) => ({
      entry: entry.id,
      op: entry.op as OperationName,
      title: entry.title,
      mayHaveArrived: mayHaveArrived(entry),
    }))
}

/** Titles of these entries as far as they are, or may be, with the server: a request that was cancelled there is not. */
export async function stillDoubtful(db: SomaDb, ids: readonly string[]): Promise<string[]> {
  const entries = await db.outbox.where('id').anyOf(ids).toArray()
  const doubtful: string[] = []
  for (const entry of entries) {
    if (entry.state === 'cancelled' || (await isCancelledThere(db, entry))) continue
    doubtful.push(entry.title)
  }
  return [...new Set(doubtful)]
}

/** Of a request, and of what cancels it. */
async function isCancelledThere(db: SomaDb, entry: Entry): Promise<boolean> {
  if (!isCreate(entry) && entry.op !== 'cancelDelivery') return false
  const { account, lane } = entry
  const inLane = await db.outbox.where('[account+lane]').equals([account, lane]).toArray()
  return inLane.some(({ op, state }) => op === 'cancelDelivery' && state === 'done')
}
