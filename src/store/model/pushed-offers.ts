import { normalizeNames } from '#contract/calls/legacy-names.ts'
import { Delivery } from '#domain/deliveries/delivery.ts'
import { isStillHere } from '#sync/lists/pulls.ts'
import type { Change, PushedRow } from '#sync/model.ts'
import { noteLeft } from '../deliveries/left-offers.ts'
import { dropFromList, mergeFromServer } from '../deliveries/projection.ts'
import { dropBeyondBound } from '../deliveries/save/offers.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/**
 * Saves jobs as events bring them, in one transaction, as a pull of their list would (S20, S36, S51).
 * Returns what must be asked for all the same: what this version cannot read, and a row that is more
 * to this person than a job on offer.
 */
export async function savePushedOffers(
  db: SomaDb,
  account: string,
  offers: readonly PushedRow[],
  serverAt: number,
): Promise<Change[]> {
  if (offers.length === 0) return []
  const toAsk: Change[] = []
  await db.transaction('rw', db.tables, async () => {
    if (!(await isStillHere(db, account))) return
    for (const { id, row } of offers) {
      const stored = await db.deliveries.get([account, id])
      const job = row === undefined ? undefined : readJob(row)
      if (isMore(stored) || (row !== undefined && !job)) toAsk.push({ about: 'delivery', id })
      // A job that its driver gave back on another phone is on offer to them again (R101).
      if (isMore(stored) && job) toAsk.push({ about: 'offers' })
      if (isMore(stored) || (row !== undefined && !job)) continue
      if (!job) noteLeft(db, id, serverAt)
      if (job) await mergeFromServer(db, account, [job], { serverAt })
      else if (stored?.known) await dropFromList(db, account, [id])
    }
    await dropBeyondBound(db, account, 'available')
  })
  return toAsk
}

const isMore = (row: DeliveryRow | undefined) => row !== undefined && row.openAt === undefined

function readJob(row: unknown): Delivery | undefined {
  const { data } = Delivery.safeParse(normalizeNames(Delivery, row))
  return data
}
