import { and, eq, inArray, not, sql } from 'drizzle-orm'
import type { GuestTokens } from '../../ports/stores/delivery-stores.ts'
import type { Db } from '../db.ts'
import { insertOf } from '../prepared.ts'
import { deliveries, guestTokens } from '../tables.ts'

const hasEnded = (before: string) =>
  sql`(${deliveries.status} in ('Approved', 'Cancelled') and ${deliveries.updatedAt} < ${before}::timestamptz)`

export function guestTokensOver(db: Db): GuestTokens {
  const insert = insertOf(db, guestTokens, ['hash', 'deliveryId'])
  return {
    async add(hash, deliveryId) {
      await insert({ hash, deliveryId })
    },
    async find(hash, endedBefore) {
      const [found] = await db
        .select({ id: deliveries.id })
        .from(guestTokens)
        .innerJoin(deliveries, eq(deliveries.id, guestTokens.deliveryId))
        .where(and(eq(guestTokens.hash, hash), not(hasEnded(endedBefore))))
      return found?.id
    },
    async findMany(hashes, endedBefore) {
      const rows = await db
        .select({ hash: guestTokens.hash, id: deliveries.id })
        .from(guestTokens)
        .innerJoin(deliveries, eq(deliveries.id, guestTokens.deliveryId))
        .where(
          and(
            sql`${guestTokens.hash} = any(${sql.param(hashes)}::text[])`,
            not(hasEnded(endedBefore)),
          ),
        )
      return new Map(rows.map(({ hash, id }) => [hash, id]))
    },
    async endAllOf(deliveryId) {
      await db.delete(guestTokens).where(eq(guestTokens.deliveryId, deliveryId))
    },
    async sweep(endedBefore) {
      const ended = db.select({ id: deliveries.id }).from(deliveries).where(hasEnded(endedBefore))
      await db.delete(guestTokens).where(inArray(guestTokens.deliveryId, ended))
    },
  }
}
