import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Attempts } from '../../ports/stores/requests.ts'
import type { Db } from '../db.ts'
import { insertOf, once } from '../prepared.ts'
import { attempts } from '../tables.ts'

export function attemptsOver(db: Db): Attempts {
  const insert = insertOf(db, attempts, ['id', 'key', 'at'])
  const locked = once(() =>
    db
      .select({ lock: sql`pg_advisory_xact_lock(hashtextextended(${sql.placeholder('key')}, 0))` })
      .from(sql`(select 1) one`)
      .prepare(''),
  )
  const recent = once(() => {
    const ofKey = eq(attempts.key, sql.placeholder('key'))
    return db
      .select({ at: attempts.at })
      .from(attempts)
      .where(and(ofKey, gt(attempts.at, sql.placeholder('since'))))
      .orderBy(asc(attempts.at))
      .prepare('')
  })
  return {
    async lock(key) {
      await db.write(locked().execute({ key }))
    },
    async since(key, since) {
      const rows = await recent().execute({ key, since: new Date(since) })
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
      await insert({ id, key, at: new Date(at) })
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
