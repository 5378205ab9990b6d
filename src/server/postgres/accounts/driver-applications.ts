import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { DriverApplication } from '#domain/users/driver.ts'
import type { DriverStatus } from '#domain/users/user.ts'
import type { Applications } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { countRows, keysetPage, type Sorting, splitPage } from '../paged-list.ts'
import { containsText, matchesSearch } from '../search.ts'
import { applications, idNumberKey, users } from '../tables.ts'
import { applicationPhotosOver } from './application-photos.ts'
import { toUser } from './users.ts'

const sortings: Record<string, Sorting> = {
  createdAt: { by: applications.createdAt, type: 'timestamptz' },
  name: { by: sql`lower(${users.name})`, type: 'text' },
}

type Row = { applications: typeof applications.$inferSelect; users: typeof users.$inferSelect }

/** The store of driver applications, and of the ID photos they name. */
export function applicationsOver(db: Db): Applications {
  const id = applications.userId
  return {
    ...applicationPhotosOver(db),
    async add(application) {
      const createdAt = new Date(application.createdAt)
      const row = {
        ...application,
        status: 'pending' as const,
        createdAt,
        decidedAt: null,
        reason: null,
      }
      await db
        .insert(applications)
        .values(row)
        .onConflictDoUpdate({ target: applications.userId, set: row })
    },
    async get(userId) {
      const [found] = await db
        .select()
        .from(applications)
        .innerJoin(users, eq(users.id, id))
        .where(eq(id, userId))
      return found && toApplication(found)
    },
    async change(userId, status, at, reason) {
      await db
        .update(applications)
        .set({ status, decidedAt: new Date(at), reason: reason ?? null })
        .where(eq(id, userId))
    },
    async lockIdNumber(idNumber) {
      const key = idNumberKey(sql`${idNumber}::text`)
      await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
      const rows = await db
        .select({ id })
        .from(applications)
        .where(eq(idNumberKey(applications.idNumber), key))
      return rows.map((row) => row.id)
    },
    async list(page, status) {
      const { order, position, after } = keysetPage(sortings, '-createdAt', page, id)
      const where = and(status && eq(applications.status, status), matchesDriver(page.search))
      const found = await db
        .select({ applications, users, position, id })
        .from(applications)
        .innerJoin(users, eq(users.id, id))
        .where(and(where, after))
        .orderBy(...order)
        .limit(page.limit + 1)
      const rows = found.map((row) => ({
        row: toApplication(row),
        position: row.position,
        id: row.id,
      }))
      const [count] = await db
        .select({ total: countRows() })
        .from(applications)
        .innerJoin(users, eq(users.id, id))
        .where(where)
      return { ...splitPage(rows, page.limit), total: count?.total ?? 0 }
    },
    async counts() {
      const { status } = applications
      const rows = await db
        .select({ status, total: countRows() })
        .from(applications)
        .groupBy(status)
      const countOf = (wanted: DriverStatus) =>
        rows.find((row) => row.status === wanted)?.total ?? 0
      return {
        pending: countOf('pending'),
        approved: countOf('approved'),
        rejected: countOf('rejected'),
      }
    },
  }
}

const toApplication = ({ applications: row, users: user }: Row): DriverApplication => ({
  ID: row.userId,
  Status: row.status,
  User: { Name: user.name, Email: user.email, Phone: user.phone },
  CreatedAt: row.createdAt.toISOString(),
  DecidedAt: row.decidedAt?.toISOString(),
  IDType: row.idType,
  IDNumber: row.idNumber,
  IDPhoto: row.idPhoto || undefined,
  reason: row.reason ?? undefined,
  licence: toUser(user).licence,
  licencePending: user.licencePending ?? undefined,
})

/** Applications whose driver's name, e-mail, phone or ID number contains the text. Each part has its own index. */
const matchesDriver = (text: string | undefined): SQL | undefined =>
  text
    ? sql`${applications.userId} in (
        select id from users
          where ${matchesSearch(users, text)} and ${containsText(text, [users.name, users.email, users.phone])}
        union select user_id from applications where ${matchesSearch(applications, text)})`
    : undefined
