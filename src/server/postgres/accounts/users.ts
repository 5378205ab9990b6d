import { and, asc, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm'
import type { DriverApplication } from '#domain/driver.ts'
import { type DriverStatus, sameEmail, type User } from '#domain/user.ts'
import type { Account, Applications, Code, Codes, Sessions, Users } from '../../ports/repo.ts'
import { applicationPhotosOver } from '../deliveries/photos.ts'
import {
  all,
  containsText,
  type Db,
  keysetPage,
  matchesSearch,
  type Sorting,
  splitPage,
} from '../paging.ts'
import { applications, codes, sessions, users } from '../tables.ts'

type Row = typeof users.$inferSelect

function toUser(row: Row): User {
  const { id, name, email, phone, role, verified, driverStatus, pendingPhone } = row
  const user: User = { ID: id, name, email, phone_number: phone, role, Verified: verified }
  if (driverStatus) user.driverStatus = driverStatus
  if (pendingPhone) user.pendingPhone = pendingPhone
  return user
}

const toAccount = (row: Row): Account => ({
  ...toUser(row),
  passwordHash: row.passwordHash,
  createdAt: row.createdAt.toISOString(),
})

const sortings: Record<string, Sorting> = {
  createdAt: { by: users.createdAt, type: 'timestamptz' },
  name: { by: sql`lower(${users.name})`, type: 'text' },
  email: { by: users.emailKey, type: 'text' },
}

export function usersOver(db: Db): Users {
  const where = (condition: SQL | undefined) =>
    db.select().from(users).where(condition).orderBy(desc(users.createdAt)).limit(1)
  const one = async (rows: Promise<Row[]> | PromiseLike<Row[]>) => {
    const [row] = await rows
    return row && toUser(row)
  }
  return {
    get: (id) => one(where(eq(users.id, id))),
    lockShared: (id) => one(db.select().from(users).where(eq(users.id, id)).for('share')),
    lock: (id) => one(db.select().from(users).where(eq(users.id, id)).for('no key update')),
    async byEmail(email) {
      const [row] = await where(eq(users.emailKey, sameEmail(email)))
      return row && toAccount(row)
    },
    byVerifiedPhone: (phone) => one(where(and(eq(users.phone, phone), eq(users.verified, true)))),
    byUnverifiedPhone: (phone) =>
      one(
        where(
          or(and(eq(users.phone, phone), eq(users.verified, false)), eq(users.pendingPhone, phone)),
        ),
      ),
    async phoneChangedAt(id) {
      const [row] = await where(eq(users.id, id))
      return row?.phoneChangedAt?.toISOString()
    },
    findAdmin: () => one(where(eq(users.role, 'admin'))),
    async add(account) {
      await db.insert(users).values({
        ...{ id: account.ID, name: account.name, role: account.role },
        ...{ email: account.email, emailKey: sameEmail(account.email) },
        ...{ phone: account.phone_number, verified: account.Verified },
        ...{ driverStatus: account.driverStatus, passwordHash: account.passwordHash },
        createdAt: new Date(account.createdAt),
      })
    },
    async change(id, { phone_number, Verified, phoneChangedAt, ...rest }) {
      const change = {
        ...rest,
        phone: phone_number,
        verified: Verified,
        phoneChangedAt: phoneChangedAt === undefined ? undefined : new Date(phoneChangedAt),
      }
      await db.update(users).set(change).where(eq(users.id, id))
    },
    async list(page) {
      const { order, place, past } = keysetPage(sortings, '-createdAt', page, users.id)
      const sought = matchesSearch(users, page.search)
      const found = await db
        .select({ row: users, place, id: users.id })
        .from(users)
        .where(all(sought, past))
        .orderBy(...order)
        .limit(page.limit + 1)
      const { rows, next } = splitPage(found, page.limit)
      const [count] = await db.select({ countRows: total() }).from(users).where(sought)
      return { rows: rows.map(toUser), next, total: count?.countRows ?? 0 }
    },
  }
}

export function sessionsOver(db: Db): Sessions {
  return {
    async add({ createdAt, usedAt, ...session }) {
      const times = { createdAt: new Date(createdAt), usedAt: new Date(usedAt) }
      await db.insert(sessions).values({ ...session, ...times })
    },
    async find(hash) {
      const [found] = await db
        .select({ user: users, createdAt: sessions.createdAt, usedAt: sessions.usedAt })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(eq(sessions.hash, hash))
      return (
        found && {
          user: toUser(found.user),
          createdAt: found.createdAt.toISOString(),
          usedAt: found.usedAt.toISOString(),
        }
      )
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
    async endAllOf(userId) {
      await db.delete(sessions).where(eq(sessions.userId, userId))
    },
    async sweep(usedBefore, createdBefore) {
      const unused = lt(sessions.usedAt, new Date(usedBefore))
      await db.delete(sessions).where(or(unused, lt(sessions.createdAt, new Date(createdBefore))))
    },
  }
}

export function codesOver(db: Db): Codes {
  const of = ({ userId, purpose }: Pick<Code, 'userId' | 'purpose'>) =>
    and(eq(codes.userId, userId), eq(codes.purpose, purpose))
  return {
    async put(code) {
      const row = { ...code, expiresAt: new Date(code.expiresAt) }
      await db
        .insert(codes)
        .values(row)
        .onConflictDoUpdate({ target: [codes.userId, codes.purpose], set: row })
    },
    async lock(phone, purpose) {
      const rows = await db
        .select()
        .from(codes)
        .where(and(eq(codes.phone, phone), eq(codes.purpose, purpose)))
        .orderBy(asc(codes.userId))
        .for('update')
      return rows.map((row) => ({ ...row, expiresAt: row.expiresAt.toISOString() }))
    },
    async countWrong(code) {
      await db
        .update(codes)
        .set({ wrong: sql`${codes.wrong} + 1` })
        .where(of(code))
    },
    async end(userId, purpose) {
      await db.delete(codes).where(of({ userId, purpose }))
    },
    async sweep(expiredBefore) {
      await db.delete(codes).where(lt(codes.expiresAt, new Date(expiredBefore)))
    },
  }
}

const applicationSortings: Record<string, Sorting> = {
  createdAt: { by: applications.createdAt, type: 'timestamptz' },
  name: { by: sql`lower(${users.name})`, type: 'text' },
}

export function applicationsOver(db: Db): Applications {
  const toApplication = (row: typeof applications.$inferSelect, user: Row): DriverApplication => ({
    ...{ ID: row.userId, Status: row.status, User: { Name: user.name, Email: user.email } },
    ...{ IDType: row.idType, IDNumber: row.idNumber, IDPhoto: row.idPhoto || undefined },
  })
  return {
    ...applicationPhotosOver(db),
    async add(application) {
      const createdAt = new Date(application.createdAt)
      await db.insert(applications).values({ ...application, status: 'pending', createdAt })
    },
    async get(userId) {
      const [found] = await db
        .select()
        .from(applications)
        .innerJoin(users, eq(users.id, applications.userId))
        .where(eq(applications.userId, userId))
      return found && toApplication(found.applications, found.users)
    },
    async change(userId, status, at) {
      await db
        .update(applications)
        .set({ status, decidedAt: new Date(at) })
        .where(eq(applications.userId, userId))
    },
    async list(page, status) {
      const id = applications.userId
      const { order, place, past } = keysetPage(applicationSortings, '-createdAt', page, id)
      const wanted = all(status && eq(applications.status, status), ofDrivers(page.search))
      const found = await db
        .select({ application: applications, user: users, place, id })
        .from(applications)
        .innerJoin(users, eq(users.id, id))
        .where(all(wanted, past))
        .orderBy(...order)
        .limit(page.limit + 1)
      const pairs = found.map(({ application, user, ...rest }) => ({
        row: toApplication(application, user),
        ...rest,
      }))
      const [count] = await db
        .select({ total: total() })
        .from(applications)
        .innerJoin(users, eq(users.id, id))
        .where(wanted)
      return { ...splitPage(pairs, page.limit), total: count?.total ?? 0 }
    },
    async counts() {
      const { status } = applications
      const rows = await db.select({ status, total: total() }).from(applications).groupBy(status)
      const of = (wanted: DriverStatus) => rows.find((row) => row.status === wanted)?.total ?? 0
      return { pending: of('pending'), approved: of('approved'), rejected: of('rejected') }
    },
  }
}

/** By the driver's name or e-mail or by the number of their papers, each under its own index. */
const ofDrivers = (text: string | undefined): SQL | undefined =>
  text
    ? sql`${applications.userId} in (
        select id from users
          where ${matchesSearch(users, text)} and ${containsText(text, [users.name, users.email])}
        union select user_id from applications where ${matchesSearch(applications, text)})`
    : undefined

export const total = () => sql<number>`count(*)::int`
