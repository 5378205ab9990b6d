import { and, eq, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Applications, Photos, StoredPhoto } from '../../ports/repo.ts'
import type { Db } from '../paging.ts'
import { applications, deliveries, disputes, photos, users } from '../tables.ts'

const toPhoto = ({ at, ...photo }: typeof photos.$inferSelect): StoredPhoto => ({
  ...photo,
  at: at.toISOString(),
})

export function photosOver(db: Db): Photos {
  const named = (name: string) => eq(photos.name, name)
  return {
    async get(name) {
      const [row] = await db.select().from(photos).where(named(name))
      return row && toPhoto(row)
    },
    async lock(name) {
      const [row] = await db.select().from(photos).where(named(name)).for('update')
      return row && toPhoto(row)
    },
    async getMany(names) {
      if (names.length === 0) return []
      const rows = await db
        .select()
        .from(photos)
        .where(sql`${photos.name} = any(${sql.param(names)}::text[])`)
      return rows.map(toPhoto)
    },
    async add(photo) {
      const row = { ...photo, at: new Date(photo.at) }
      await db
        .insert(photos)
        .values(row)
        .onConflictDoUpdate({
          target: photos.name,
          set: { at: row.at, uploader: row.uploader, bytes: row.bytes },
          setWhere: and(eq(photos.isUsed, false), eq(photos.isPrivate, false)),
        })
      const [kept] = await db.select().from(photos).where(named(photo.name))
      return kept?.isPrivate === photo.isPrivate
    },
    async use(name) {
      await db
        .update(photos)
        .set({ isUsed: true })
        .where(and(named(name), eq(photos.isUsed, false)))
    },
    async makePrivate(name, at) {
      const row = { name, isPrivate: true, isUsed: true, bytes: 0, uploader: '', at: new Date(at) }
      await db
        .insert(photos)
        .values(row)
        .onConflictDoUpdate({ target: photos.name, set: { isPrivate: true, isUsed: true } })
    },
    async remove(name) {
      await db.delete(photos).where(named(name))
    },
    async storedBy(uploader, since) {
      const [found] = await db
        .select({
          bytes: sql<string>`coalesce(sum(${photos.bytes}), 0)`,
          first: sql<string | null>`min(${photos.at})`,
        })
        .from(photos)
        .where(and(eq(photos.uploader, uploader), gt(photos.at, new Date(since))))
      return {
        bytes: Number(found?.bytes ?? 0),
        first: found?.first ? new Date(found.first).toISOString() : undefined,
      }
    },
    async removeUnused(before) {
      const removed = await db
        .delete(photos)
        .where(and(eq(photos.isUsed, false), lt(photos.at, new Date(before))))
        .returning({ name: photos.name })
      return removed.map(({ name }) => name)
    },
  }
}

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
      // Each subquery is read once and hashed, not once for each application.
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
        .select({ email: users.email })
        .from(applications)
        .innerJoin(users, eq(users.id, userId))
        .where(sql`substring(${idPhoto} from '[^/]+$') = ${name}`)
      return rows.map(({ email }) => email)
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
