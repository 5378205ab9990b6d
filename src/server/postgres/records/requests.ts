import { and, asc, eq, gt, isNotNull, lt, ne, or, sql } from 'drizzle-orm'
import { maxSealed, type Requests, withdrawnMark } from '../../ports/stores/request-store.ts'
import type { Db } from '../db.ts'
import { once, placeholdersOf } from '../prepared.ts'
import { requests } from '../tables.ts'

export function requestsOver(db: Db): Requests {
  const isThis = eq(requests.id, sql.placeholder('id'))
  const answered = once(() =>
    db
      .select()
      .from(requests)
      .where(and(isThis, isNotNull(requests.status)))
      .prepare(''),
  )
  const claimed = once(() =>
    db
      .insert(requests)
      .values(placeholdersOf(requests, ['id', 'fingerprint', 'at', 'person']))
      .onConflictDoNothing()
      .returning({ id: requests.id })
      .prepare(''),
  )
  const answering = once(() =>
    db
      .update(requests)
      .set(placeholdersOf(requests, ['status', 'sealed']))
      .where(isThis)
      .prepare(''),
  )
  return {
    async find(id) {
      const [found] = await answered().execute({ id })
      if (!found?.status || !found.sealed) return undefined
      return { fingerprint: found.fingerprint, status: found.status, sealed: found.sealed }
    },
    async findMany(ids) {
      // One parameter for all IDs: the statement has the same text, and so one name, for any number.
      const rows = await db
        .select()
        .from(requests)
        .where(and(sql`${requests.id} = any(${sql.param(ids)})`, isNotNull(requests.status)))
      return new Map(
        rows.flatMap(({ id, fingerprint, status, sealed }) =>
          status && sealed ? [[id, { fingerprint, status, sealed }] as const] : [],
        ),
      )
    },
    async claim(id, fingerprint, at, person) {
      const row = { id, fingerprint, at: new Date(at), person: person ?? null }
      const rows = await claimed().execute(row)
      return rows.length === 1
    },
    async answer(id, status, sealed) {
      await db.write(answering().execute({ id, status, sealed }))
    },
    async remove(id) {
      await db.delete(requests).where(eq(requests.id, id))
    },
    async page(after, limit) {
      const rows = await db
        .select()
        .from(requests)
        .where(and(gt(requests.id, after), isNotNull(requests.status)))
        .orderBy(asc(requests.id))
        .limit(limit)
      return answeredOf(rows)
    },
    async tooLarge(limit) {
      const isTooLarge = sql.raw(`octet_length(sealed) > ${maxSealed}`)
      return answeredOf(await db.select().from(requests).where(isTooLarge).limit(limit))
    },
    async sweep(before, refusalsBefore) {
      const isRefused = and(lt(requests.at, new Date(refusalsBefore)), sql`status >= 400`)
      const isOld = or(lt(requests.at, new Date(before)), isRefused)
      // A key that was taken back is refused for ever (R154).
      await db.delete(requests).where(and(isOld, ne(requests.fingerprint, withdrawnMark)))
    },
  }
}

const answeredOf = (rows: (typeof requests.$inferSelect)[]) =>
  rows.flatMap(({ id, fingerprint, status, sealed }) =>
    status && sealed ? [{ id, fingerprint, status, sealed }] : [],
  )
