import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Attempts } from '../../ports/repo.ts'
import type { Db } from '../db.ts'
import { attempts } from '../tables.ts'

export function attemptsOver(db: Db): Attempts {
  return {
    async lock(key) {
      await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    },
    async since(key, since) {
      const rows = await db
        .select({ at: attempts.at })
        .from(attempts)
        .where(and(eq(attempts.key, key), gt(attempts.at, new Date(since))))
        .orderBy(asc(attempts.at))
      return rows.map(({ at }) => at.toISOString())
    },
    async count(key, since) {
      const after = and(eq(attempts.key, key), gt(attempts.at, new Date(since)))
      const [found] = await db
        .select({ count: sql<number>`count(*)::int` })
        .from(attempts)
        .where(after)
      return found?.count ?? 0
    },
    async add({ id, key, at }) {
      await db.insert(attempts).values({ id, key, at: new Date(at) })
    },
    async removeById(id) {
      await db.delete(attempts).where(eq(attempts.id, id))
    },
    async forget(key) {
      await db.delete(attempts).where(eq(attempts.key, key))
    },
    async sweep(before) {
      await db.delete(attempts).where(lt(attempts.at, new Date(before)))
    },
  }
}
