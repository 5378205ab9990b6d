import { and, asc, eq, gt, isNotNull, lt, notExists, or, sql } from 'drizzle-orm'
import type { Attempts } from '../../ports/stores/request-store.ts'
import type { Db } from '../db.ts'
import { insertOf, once } from '../prepared.ts'
import { attempts, counters, requests } from '../tables.ts'

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
  const counted = once(() => {
    const [at, until] = [placeholderOf('at'), placeholderOf('until')]
    const isOver = or(lt(counters.began, placeholderOf('since')), gt(counters.began, until))
    const answer = and(eq(requests.id, sql.placeholder('unless')), isNotNull(requests.status))
    const answered = db.select({ id: requests.id }).from(requests).where(answer)
    return db
      .insert(counters)
      .select(
        db
          .select({
            key: sql<string>`${sql.placeholder('key')}::text`.as('key'),
            began: sql<Date>`${at}`.as('began'),
            count: sql<number>`1`.as('count'),
          })
          .from(sql`(select 1) one`)
          .where(notExists(answered)),
      )
      .onConflictDoUpdate({
        target: counters.key,
        set: {
          count: sql`case when ${isOver} then 1 else ${counters.count} + 1 end`,
          began: sql`case when ${isOver} then ${at} else ${counters.began} end`,
        },
      })
      .returning({ count: counters.count, began: counters.began })
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
    async countUp({ key, at, since, until, unless = '' }) {
      const [found] = await counted().execute({ key, at, since, until, unless })
      return found && { count: found.count, began: found.began.toISOString() }
    },
    async removeById(id) {
      await db.delete(attempts).where(eq(attempts.id, id))
    },
    async forget(key) {
      await db.delete(attempts).where(eq(attempts.key, key))
    },
    async sweep(before) {
      await db.delete(attempts).where(lt(attempts.at, new Date(before)))
      await db.delete(counters).where(lt(counters.began, new Date(before)))
    },
  }
}

/** A time as ISO 8601. */
const placeholderOf = (name: string) => sql`${sql.placeholder(name)}::timestamptz`
