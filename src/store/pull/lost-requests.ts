import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Pulled } from '#sync/database/engine-db.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import type { Reader } from '../account/reader.ts'
import { serverRow } from '../deliveries/row-schema.ts'
import { acknowledgedKeys } from '../deliveries/save/lost.ts'
import { callIfThere } from '../requests/call-if-there.ts'
import type { SomaDb } from '../soma-db.ts'
import type { List } from './lists.ts'
import type { PullResponse, Rows } from './pull.ts'

type Asked = {
  ref: ListRef
  list: List
  reader: Reader
  before: Pulled | undefined
  askedAt: number
}

/**
 * Keys of requests that the server has acknowledged and knows no more (S54). Asked only where the response shows that it
 * may have been restored: a list in full that was had before, or a delivery that is older than this phone
 * had it (S77). Throws `Refused` and `Unreachable`.
 */
export async function lostRequests(
  context: SyncContext<SomaDb>,
  asked: Asked,
  response: PullResponse,
): Promise<readonly string[]> {
  if (!(await mayBeRestored(context.db, asked, response))) return []
  const { ref, reader } = asked
  const keys = await acknowledgedKeys(context.db, reader.account, ref.id)
  if (keys.length === 0) return []
  const { token } = reader.question
  const found = await callIfThere(context, 'knownRequests', { token, body: { keys } })
  // A row that is there has not been lost, however long its key has been kept.
  const there = (response.value as Rows).deliveries?.map(({ ID }) => ID)
  return (found?.value?.unknown ?? []).filter((key) => !there?.includes(key))
}

async function mayBeRestored(
  db: SomaDb,
  { ref, list, reader, before, askedAt }: Asked,
  { value }: PullResponse,
): Promise<boolean> {
  if (!value) return false
  const { deliveries, removed } = value as Rows
  if (deliveries) return before !== undefined && !list.withoutDelta && !removed
  if (ref.kind !== 'delivery') return false
  const { delivery } = value as { delivery: Delivery }
  const row = await db.deliveries.get([reader.account, delivery.ID])
  const stored = row && serverRow(row)
  return (
    stored !== undefined && (row?.serverAt ?? 0) <= askedAt && delivery.updatedAt < stored.updatedAt
  )
}
