import { and, desc, eq, lt, ne, or, sql } from 'drizzle-orm'
import type { Sessions } from '../../ports/stores/account-stores.ts'
import type { Db } from '../db.ts'
import { once } from '../prepared.ts'
import { sessions, users } from '../tables.ts'
import { toUser } from './users.ts'

const shown = { user: users, createdAt: sessions.createdAt, usedAt: sessions.usedAt }

const toFound = ({
  user,
  createdAt,
  usedAt,
}: {
  user: typeof users.$inferSelect
  createdAt: Date
  usedAt: Date
}) => ({
  user: toUser(user),
  createdAt: createdAt.toISOString(),
  usedAt: usedAt.toISOString(),
})

export function sessionsOver(db: Db): Sessions {
  const read = once(() =>
    db
      .select(shown)
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.hash, sql.placeholder('hash')))
      .prepare(''),
  )
  return {
    async add({ createdAt, usedAt, ...session }) {
      const times = { createdAt: new Date(createdAt), usedAt: new Date(usedAt) }
      await db.insert(sessions).values({ ...session, ...times })
    },
    async find(hash) {
      const [found] = await read().execute({ hash })
      return found && toFound(found)
    },
    async findMany(hashes) {
      const rows = await db
        .select({ hash: sessions.hash, ...shown })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(sql`${sessions.hash} = any(${sql.param(hashes)}::text[])`)
      return new Map(rows.map(({ hash, ...found }) => [hash, toFound(found)]))
    },
    async touch(hash, usedAt) {
      await db
        .update(sessions)
        .set({ usedAt: new Date(usedAt) })
        .where(eq(sessions.hash, hash))
    },
    async end(hash) {
      await db.delete(sessions).where(eq(sessions.hash, hash))
    },
    async listOf(userId) {
      const rows = await db
        .select()
        .from(sessions)
        .where(eq(sessions.userId, userId))
        .orderBy(desc(sessions.usedAt), desc(sessions.id))
      return rows.map(({ createdAt, usedAt, ...session }) => ({
        ...session,
        createdAt: createdAt.toISOString(),
        usedAt: usedAt.toISOString(),
      }))
    },
    async endOf(userId, id) {
      const ended = await db
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
        .returning({ id: sessions.id })
      return ended.length > 0
    },
    async endAllOf(userId, except = '') {
      await db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.hash, except)))
    },
    async sweep(usedBefore, createdBefore) {
      const unused = lt(sessions.usedAt, new Date(usedBefore))
      await db.delete(sessions).where(or(unused, lt(sessions.createdAt, new Date(createdBefore))))
    },
  }
}
