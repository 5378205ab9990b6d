import { type SQL, sql } from 'drizzle-orm'
import type { Work } from '#contract/responses.ts'
import { lastLicenceDay, shownWork, type WorkKind, workBefore } from '#domain/office/work-kinds.ts'
import type { Db } from '../db.ts'
import { isOffered } from '../tables.ts'

/** The office's work list (R187), read in one statement. */
export async function workOver(db: Db, at: string): Promise<Work[]> {
  const kinds = Object.entries(selectsOf(at)).map(
    ([kind, select]) => sql`(
      select ${kind}::text as kind, waiting.id, waiting.name, waiting.since, (count(*) over ())::int as count
      from (${select}) waiting order by waiting.since, waiting.id limit ${shownWork})`,
  )
  const { rows } = await db.execute<Row>(sql.join(kinds, sql` union all `))
  const work = new Map<string, Work>()
  for (const { kind, count, id, name, since } of rows) {
    const found = work.get(kind) ?? { kind, count, oldest: [] }
    found.oldest.push({ ID: id, name, since: new Date(since).toISOString() })
    work.set(kind, found)
  }
  return [...work.values()]
}

type Row = { kind: string; id: string; name: string; since: string | Date; count: number }

const selectsOf = (at: string): Record<WorkKind, SQL> => ({
  payments: sql`select p.id, coalesce(u.name, '') as name, p.updated_at as since
    from payments p left join users u on u.id = p.driver_id
    where p.kind in ('payout', 'refund') and p.status in ('failed', 'reversed')`,
  offers: sql`select id, item_description as name, created_at as since from deliveries
    where status = 'Pending' and ${isOffered} and created_at <= ${workBefore('offers', at)}::timestamptz`,
  // A job is never older than its request.
  jobs: sql`select id, name, since from (
      select id, item_description as name, (
        select max((step ->> 'at')::timestamptz) from jsonb_array_elements(history) step
        where step ->> 'status' = deliveries.status) as since
      from deliveries
      where status in ('Accepted', 'Picked Up') and deliveries.returning is null
        and created_at <= ${workBefore('jobs', at)}::timestamptz
    ) job where since <= ${workBefore('jobs', at)}::timestamptz`,
  returns: sql`select id, item_description as name, (deliveries.returning ->> 'at')::timestamptz as since from deliveries
    where status = 'Picked Up' and deliveries.returning is not null`,
  disputes: sql`select id, issue as name, created_at as since from disputes where status = 'open'`,
  applications: sql`select a.user_id as id, u.name, a.created_at as since
    from applications a join users u on u.id = a.user_id where a.status = 'pending'`,
  licences: sql`select id, name, (licence_expires || 'T00:00:00Z')::timestamptz as since from users
    where driver_status = 'approved' and licence_expires <= ${lastLicenceDay(at)}`,
})
