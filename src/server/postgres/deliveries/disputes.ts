import { and, desc, eq, inArray, like, or, type SQL, sql } from 'drizzle-orm'
import { reporterOf, type StoredDispute } from '#domain/deliveries/dispute.ts'
import { idEndOf } from '#domain/deliveries/reference.ts'
import type { Disputes } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { pagedList, type Sorting } from '../paged-list.ts'
import { containsText } from '../search.ts'
import { deliveries, disputes } from '../tables.ts'
import { findHits, isFoundBy, readSearch } from './delivery-search.ts'

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
    async ofDeliveries(ids) {
      if (ids.length === 0) return []
      const found = await db
        .select()
        .from(disputes)
        .where(inArray(disputes.deliveryId, ids))
        .orderBy(desc(disputes.createdAt), desc(disputes.id))
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
    list: async (page, status) =>
      pagedList(db, disputes, {
        page,
        sortings,
        fallback: '-createdAt',
        id: disputes.id,
        where: and(status && eq(disputes.status, status), await matching(db, page.search)),
        toRow: toDispute,
      }),
    async find(search, limit) {
      const newest = db
        .select({ id: disputes.id })
        .from(disputes)
        .orderBy(desc(disputes.createdAt), desc(disputes.id))
        .limit(mostCompared)
      const about = await aboutDelivery(db, search)
      const isNew = about.isCommon ? inArray(disputes.id, newest) : undefined
      const found = await db
        .select()
        .from(disputes)
        .where(and(or(about.condition, isCalled(search)), isNew))
        .orderBy(desc(disputes.createdAt), desc(disputes.id))
        .limit(limit)
      return found.map(toDispute)
    },
  }
}

/** The newest disputes that are compared with a word that many deliveries have. */
const mostCompared = 2_000

/** Disputes about the deliveries that a search finds; common: there are more of these than are counted. */
async function aboutDelivery(db: Db, text: string) {
  const search = readSearch(text)
  const hits = await findHits(db, search)
  if (hits)
    return {
      isCommon: false,
      condition: sql`${disputes.deliveryId} = any(${sql.param(hits)}::uuid[])`,
    }
  const condition = sql`exists (select 1 from ${deliveries}
    where ${deliveries.id} = ${disputes.deliveryId} and ${isFoundBy(search)})`
  return { isCommon: true, condition }
}

/** A reference finds the disputes it may stand for, and those about the deliveries it may stand for (R98). */
async function matching(db: Db, search: string | undefined): Promise<SQL | undefined> {
  if (!search) return undefined
  const ids = [sql`${disputes.id}::text`, sql`${disputes.deliveryId}::text`]
  const end = idEndOf(search)
  if (end) return or(...ids.map((id) => like(id, `%${end}`)))
  const { condition } = await aboutDelivery(db, search)
  return or(containsText(search, [disputes.issue, ...ids]), condition)
}

/** The disputes that a reference may stand for. */
function isCalled(search: string): SQL | undefined {
  const end = idEndOf(search)
  return end ? like(sql`${disputes.id}::text`, `%${end}`) : undefined
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
