import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Photos, StoredPhoto } from '../../ports/stores/photo-store.ts'
import type { Db } from '../db.ts'
import { once } from '../prepared.ts'
import { photos } from '../tables.ts'

const toPhoto = ({ at, ...photo }: typeof photos.$inferSelect): StoredPhoto => ({
  ...photo,
  at: at.toISOString(),
})

export function photosOver(db: Db): Photos {
  const named = (name: string) => eq(photos.name, name)
  const using = once(() =>
    db
      .update(photos)
      .set({ isUsed: true })
      .where(and(eq(photos.name, sql.placeholder('name')), eq(photos.isUsed, false)))
      .prepare(''),
  )
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
      await db.write(using().execute({ name }))
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
    async claimUnused(before, at, limit) {
      // Locked by a statement of its own: as part of the update it may run again for each row, past its limit.
      const unused = await db
        .select({ name: photos.name })
        .from(photos)
        .where(and(eq(photos.isUsed, false), lt(photos.at, new Date(before))))
        .limit(limit)
        .for('update', { skipLocked: true })
      const names = unused.map(({ name }) => name)
      if (names.length === 0) return []
      await db
        .update(photos)
        .set({ isPrivate: true, at: new Date(at) })
        .where(inArray(photos.name, names))
      return names
    },
    async claim(name, at) {
      const row = { name, isPrivate: true, isUsed: false, bytes: 0, uploader: '', at: new Date(at) }
      const claimed = await db
        .insert(photos)
        .values(row)
        .onConflictDoNothing()
        .returning({ name: photos.name })
      return claimed.length > 0
    },
  }
}
