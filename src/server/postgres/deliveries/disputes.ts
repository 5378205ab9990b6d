import { and, eq, like, or, type SQL, sql } from 'drizzle-orm'
import { reporterOf, type StoredDispute } from '#domain/deliveries/dispute.ts'
import { idEndOf } from '#domain/deliveries/reference.ts'
import type { Disputes } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { pagedList, type Sorting } from '../paged-list.ts'
import { containsText } from '../search.ts'
import { disputes } from '../tables.ts'

const sortings: Record<string, Sorting> = {
  createdAt: { by: disputes.createdAt, type: 'timestamptz' },
}

export function disputesOver(db: Db): Disputes {
  return {
    async add({ ID, DeliveryID, CreatedAt, ...report }) {
      const row = { id: ID, deliveryId: DeliveryID, createdAt: new Date(CreatedAt), ...report }
      await db.insert(disputes).values(row)
    },
    async get(id) {
      const [found] = await db.select().from(disputes).where(eq(disputes.id, id))
      return found && toDispute(found)
    },
    async ofDelivery(deliveryId) {
      const found = await db
        .select()
        .from(disputes)
        .where(eq(disputes.deliveryId, deliveryId))
        .orderBy(disputes.createdAt, disputes.id)
      return found.map(toDispute)
    },
    async resolve(id, { resolution, at, by }) {
      const [resolved] = await db
        .update(disputes)
        .set({ status: 'resolved', resolution, resolvedAt: new Date(at), resolvedBy: by })
        .where(and(eq(disputes.id, id), eq(disputes.status, 'open')))
        .returning()
      return resolved && toDispute(resolved)
    },
    list: (page, status) =>
      pagedList(db, disputes, {
        page,
        sortings,
        fallback: '-createdAt',
        id: disputes.id,
        where: and(status && eq(disputes.status, status), matching(page.search)),
        toRow: toDispute,
      }),
  }
}

/** A reference finds the disputes it may stand for, and those about the deliveries it may stand for (R98). */
function matching(search: string | undefined): SQL | undefined {
  const ids = [sql`${disputes.id}::text`, sql`${disputes.deliveryId}::text`]
  const end = search && idEndOf(search)
  if (end) return or(...ids.map((id) => like(id, `%${end}`)))
  return containsText(search, [disputes.issue, ...ids])
}

function toDispute(row: typeof disputes.$inferSelect): StoredDispute {
  const { id, deliveryId, issue, type, priority, createdAt, status, resolution, resolvedAt } = row
  return {
    ID: id,
    DeliveryID: deliveryId,
    issue,
    type,
    priority,
    status,
    CreatedAt: createdAt.toISOString(),
    reporter: reporterOf(row),
    ...(row.reportedBy ? { reportedBy: row.reportedBy } : {}),
    ...(resolution ? { resolution } : {}),
    ...(resolvedAt ? { ResolvedAt: resolvedAt.toISOString() } : {}),
  }
}
