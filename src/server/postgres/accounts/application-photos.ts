import { and, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Applications } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { applications, deliveries, disputes, photos } from '../tables.ts'

type ApplicationPhotos = Pick<
  Applications,
  'withPublicPhoto' | 'changePhoto' | 'ownersOfPhoto' | 'dropPhotos'
>

export function applicationPhotosOver(db: Db): ApplicationPhotos {
  const { userId, idPhoto, decidedAt } = applications
  const isDisputed = sql`exists (
    select 1 from ${disputes} join ${deliveries} on ${deliveries.id} = ${disputes.deliveryId}
      where ${deliveries.driverId} = ${userId} and ${disputes.status} = 'open')`
  return {
    async withPublicPhoto() {
      // PostgreSQL reads each subquery once and hashes it, instead of once for each application.
      const isShared = sql<boolean>`
        ${idPhoto} in (select ${deliveries.itemPhoto} from ${deliveries} where ${deliveries.itemPhoto} is not null)
        or ${idPhoto} in (select ${deliveries.proofOfDelivery} from ${deliveries} where ${deliveries.proofOfDelivery} is not null)`
      return db
        .select({ userId, idPhoto, isShared })
        .from(applications)
        .leftJoin(photos, sql`${photos.name} = substring(${idPhoto} from '[^/]+$')`)
        .where(and(ne(idPhoto, ''), or(isNull(photos.name), eq(photos.isPrivate, false))))
    },
    async changePhoto(id, url) {
      await db.update(applications).set({ idPhoto: url }).where(eq(userId, id))
    },
    async ownersOfPhoto(name) {
      const rows = await db
        .select({ userId })
        .from(applications)
        .where(sql`substring(${idPhoto} from '[^/]+$') = ${name}`)
      return rows.map((row) => row.userId)
    },
    async dropPhotos(decidedBefore) {
      const dropped = await db
        .select({ userId, idPhoto })
        .from(applications)
        .where(and(ne(idPhoto, ''), lt(decidedAt, new Date(decidedBefore)), sql`not ${isDisputed}`))
        .orderBy(userId)
        .for('update')
      if (dropped.length === 0) return []
      const people = dropped.map((each) => each.userId)
      const urls = dropped.map((each) => each.idPhoto)
      await db.update(applications).set({ idPhoto: '' }).where(inArray(userId, people))
      const left = await db.select({ idPhoto }).from(applications).where(inArray(idPhoto, urls))
      const still = new Set(left.map((each) => each.idPhoto))
      return [...new Set(urls)].filter((url) => !still.has(url))
    },
  }
}
