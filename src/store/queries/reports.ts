import type { Dispute } from '#domain/deliveries/dispute.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { reportLane } from '../entries/new-entry.ts'
import type { Entry } from '../entries/operations.ts'
import type { SomaDb } from '../soma-db.ts'
import { deliveryRow } from './deliveries.ts'

/** An issue that this person reported. `unsent`: it waits on this device; `at`: ISO time. */
export type Report = { id: string; issue: string; at?: string; unsent: boolean } & Pick<
  Dispute,
  'status' | 'resolution' | 'ResolvedAt'
>

/** Entries of this person's reports about a delivery that wait on this device, the oldest first. */
export const unsentReports = async (db: SomaDb, account: string, id: string): Promise<Entry[]> =>
  (
    await db.outbox
      .where('[account+lane]')
      .equals([account, reportLane(id)])
      .sortBy('seq')
  ).filter(isUnsent)

/** What this person has reported about a delivery (R59), the latest first. */
export async function reportsOf(db: SomaDb, id: string): Promise<Report[]> {
  const row = await deliveryRow(db, id)
  if (!row) return []
  const { account, ID } = row
  const known = await db.disputes.where('[account+DeliveryID]').equals([account, ID]).toArray()
  const ids = new Set(known.map((each) => each.ID))
  const waiting = (await unsentReports(db, account, ID))
    .filter((entry) => !ids.has(entry.id))
    .map(
      ({ id: report, input, occurredAt }): Report => ({
        id: report,
        issue: 'issue' in input ? input.issue : '',
        at: occurredAt,
        unsent: true,
      }),
    )
  const stored = known.map(
    ({ ID: report, issue = '', CreatedAt, status, resolution, ResolvedAt }): Report => ({
      id: report,
      issue,
      at: CreatedAt,
      unsent: false,
      status,
      resolution,
      ResolvedAt,
    }),
  )
  return [...stored, ...waiting].sort((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
}
