import { and, asc, desc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { summaryOf } from '#domain/users/rating.ts'
import type { SignKind } from '#domain/users/standing/person-facts.ts'
import { normalizeEmail, type User } from '#domain/users/user.ts'
import type { Account, Users } from '../../ports/stores/account-stores.ts'
import { type Db, existing } from '../db.ts'
import { pagedList, type Sorting } from '../paged-list.ts'
import { once } from '../prepared.ts'
import { countUsers } from '../records/statistics.ts'
import { matchesSearch } from '../search.ts'
import { applications, deliveries, idNumberKey, users } from '../tables.ts'

type Row = typeof users.$inferSelect

/** The account without its password. */
export function toUser(row: Row): User {
  const { id, name, email, phone, role, verified, driverStatus, pendingPhone } = row
  const user: User = { ID: id, name, email, phone_number: phone, role, Verified: verified }
  if (driverStatus) user.driverStatus = driverStatus
  if (pendingPhone) user.pendingPhone = pendingPhone
  const rating = summaryOf(row.ratedStars, row.ratedTimes)
  if (rating) user.rating = rating
  if (row.photo) user.photo = row.photo
  if (row.licenceNumber && row.licenceExpires)
    user.licence = { number: row.licenceNumber, expires: row.licenceExpires }
  if (row.licencePending) user.licencePending = row.licencePending
  if (row.notifications) user.notifications = row.notifications
  if (row.commutes) user.commutes = row.commutes
  if (row.payout) user.payout = row.payout
  if (row.nextPayout) user.nextPayout = row.nextPayout
  if (row.pendingPayout) user.pendingPayout = row.pendingPayout
  if (row.suspended) user.suspended = row.suspended
  if (row.factor?.isOn) user.secondFactor = true
  return user
}

const toAccount = (row: Row): Account => ({
  ...toUser(row),
  passwordHash: row.passwordHash,
  createdAt: row.createdAt.toISOString(),
  ...(row.factor ? { factor: row.factor } : {}),
})

const sortings: Record<string, Sorting> = {
  createdAt: { by: users.createdAt, type: 'timestamptz' },
  name: { by: sql`lower(${users.name})`, type: 'text' },
  email: { by: users.emailKey, type: 'text' },
}

/** People in whose name, e-mail, phone, role or ID number the text stands. Each part has its own index. */
function matchesPerson(text: string | undefined): SQL | undefined {
  if (!text || !/\d/.test(text)) return matchesSearch(users, text)
  return sql`${users.id} in (
    select id from users where ${matchesSearch(users, text)}
    union select user_id from applications where ${matchesSearch(applications, text)})`
}

export function usersOver(db: Db): Users {
  const where = (condition: SQL | undefined) =>
    db.select().from(users).where(condition).orderBy(desc(users.createdAt)).limit(1)
  const selected = (lock?: 'share' | 'no key update') =>
    once(() => {
      const row = db
        .select()
        .from(users)
        .where(eq(users.id, sql.placeholder('id')))
      return lock ? row.for(lock).prepare('') : row.prepare('')
    })
  const [read, shared, locked] = [selected(), selected('share'), selected('no key update')]
  const record = once(() => {
    const id = sql.placeholder('id')
    const approved = and(eq(deliveries.driverId, id), eq(deliveries.status, 'Approved'))
    return db
      .select({
        since: users.createdAt,
        deliveries: sql<number>`(select count(*)::int from ${deliveries} where ${approved})`,
      })
      .from(users)
      .where(eq(users.id, id))
      .prepare('')
  })
  type Rows = Promise<Row[]> | PromiseLike<Row[]>
  const one = async (rows: Rows) => {
    const [row] = await rows
    return row && toUser(row)
  }
  const account = async (rows: Rows) => {
    const [row] = await rows
    return row && toAccount(row)
  }
  return {
    get: (id) => one(read().execute({ id })),
    lockShared: (id) => one(shared().execute({ id })),
    lock: (id) => one(locked().execute({ id })),
    byEmail: (email) => account(where(eq(users.emailKey, normalizeEmail(email)))),
    byVerifiedPhone: (phone) =>
      account(where(and(eq(users.phone, phone), eq(users.verified, true)))),
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
    async driverRecord(id) {
      const [row] = await record().execute({ id })
      const { since, deliveries: count } = existing(row)
      return { since: since.toISOString(), deliveries: count }
    },
    async rate(id, stars) {
      const [row] = await db
        .update(users)
        .set({
          ratedStars: sql`${users.ratedStars} + ${stars}`,
          ratedTimes: sql`${users.ratedTimes} + 1`,
        })
        .where(eq(users.id, id))
        .returning()
      return row && toUser(row)
    },
    async renameZone(before, after) {
      const renamed = (trips: SQL) => sql`(
        select jsonb_agg(trip || jsonb_build_object(
          'from', case trip ->> 'from' when ${before} then ${after}::text else trip ->> 'from' end,
          'to', case trip ->> 'to' when ${before} then ${after}::text else trip ->> 'to' end) order by n)
        from jsonb_array_elements(${trips}) with ordinality as each (trip, n))`
      const { commutes, notifications } = users
      const routes = sql`${notifications} -> 'routes'`
      const hasRoutes = sql`jsonb_array_length(coalesce(${routes}, '[]')) > 0`
      const rows = await db
        .update(users)
        .set({
          commutes: sql`case when jsonb_array_length(${commutes}) > 0 then ${renamed(sql`${commutes}`)} else ${commutes} end`,
          notifications: sql`case when ${hasRoutes}
            then jsonb_set(${notifications}, '{routes}', ${renamed(routes)}) else ${notifications} end`,
        })
        .where(
          sql`exists (select from jsonb_array_elements(coalesce(${commutes}, '[]') || coalesce(${routes}, '[]')) as trip
            where ${before} in (trip ->> 'from', trip ->> 'to'))`,
        )
        .returning({ id: users.id })
      return rows.map(({ id }) => id)
    },
    async office() {
      const rows = await db
        .select()
        .from(users)
        .where(sql`${users.role} in ('admin', 'support')`)
        .orderBy(asc(users.createdAt))
      return rows.map(toUser)
    },
    findAdmin: () => one(where(eq(users.role, 'admin'))),
    async add(account) {
      await db.insert(users).values({
        id: account.ID,
        name: account.name,
        role: account.role,
        email: account.email,
        emailKey: normalizeEmail(account.email),
        phone: account.phone_number,
        verified: account.Verified,
        driverStatus: account.driverStatus,
        passwordHash: account.passwordHash,
        createdAt: new Date(account.createdAt),
      })
    },
    async change(id, { phone_number, Verified, phoneChangedAt, licence, ...rest }) {
      const { email } = rest
      const change = {
        ...rest,
        emailKey: email === undefined ? undefined : normalizeEmail(email),
        ...(licence === undefined
          ? {}
          : { licenceNumber: licence?.number ?? null, licenceExpires: licence?.expires ?? null }),
        phone: phone_number,
        verified: Verified,
        phoneChangedAt: phoneChangedAt === undefined ? undefined : new Date(phoneChangedAt),
      }
      await db.update(users).set(change).where(eq(users.id, id))
    },
    list: (page) =>
      pagedList(db, users, {
        page,
        sortings,
        fallback: '-createdAt',
        id: users.id,
        where: matchesPerson(page.search),
        toRow: toUser,
        countAll: () => countUsers(db),
      }),
    async joinedAt(id) {
      const [row] = await where(eq(users.id, id))
      return existing(row).createdAt.toISOString()
    },
    async twins(id) {
      const mine = sql`select * from applications where user_id = ${id}`
      const me = sql`select * from users where id = ${id}`
      const key = idNumberKey
      const { rows } = await db.execute<{ kind: SignKind; id: string; name: string }>(sql`
        select twins.kind, u.id, u.name from (
          select 'id-number' as kind, a.user_id as id from (${mine}) mine
            join applications a on ${key(sql`a.id_number`)} = ${key(sql`mine.id_number`)}
          union select 'photo', a.user_id from (${mine}) mine
            join applications a on a.id_photo = mine.id_photo and a.id_photo <> ''
          union select 'photo', o.id from (${me}) me join users o on o.photo = me.photo
          union select 'phone', o.id from (${me}) me
            join users o on o.phone in (me.phone, me.pending_phone) and o.phone <> ''
          union select 'phone', o.id from (${me}) me join users o on o.pending_phone = me.phone
          union select 'device', other from devices, unnest(user_ids) other
            where user_ids @> array[${id}]::uuid[]
        ) twins join users u on u.id = twins.id
        where u.id <> ${id} order by u.created_at limit 20`)
      return rows.map((row) => ({ kind: row.kind, ID: row.id, name: row.name }))
    },
    async suspendedUntil(at, limit) {
      const rows = await db
        .select({ id: users.id })
        .from(users)
        .where(and(isNotNull(users.suspended), sql`${users.suspended} ->> 'until' <= ${at}`))
        .limit(limit)
      return rows.map(({ id }) => id)
    },
    async commutes(limit) {
      const isDriver = eq(users.driverStatus, 'approved')
      const rows = await db
        .select({ ID: users.id, commutes: users.commutes })
        .from(users)
        .where(and(isDriver, isNotNull(users.commutes)))
        .limit(limit)
      return rows.map(({ ID, commutes }) => ({ ID, commutes: commutes ?? [] }))
    },
  }
}
