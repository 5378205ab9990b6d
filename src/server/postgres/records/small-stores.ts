import { and, asc, desc, eq, gt, isNotNull, lt, sql } from 'drizzle-orm'
import type { Stats } from '#contract/answers.ts'
import { toCedis } from '#domain/money.ts'
import type { Activities, Attempts, Choices, Ledger, Requests, Settings } from '../../ports/repo.ts'
import type { Db } from '../paging.ts'
import {
  activities,
  attempts,
  entries,
  type items,
  requests,
  settings,
  transfers,
  type zones,
} from '../tables.ts'

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

export function requestsOver(db: Db): Requests {
  return {
    async find(id) {
      const [found] = await db
        .select()
        .from(requests)
        .where(and(eq(requests.id, id), isNotNull(requests.status)))
      if (!found?.status || !found.sealed) return undefined
      return { fingerprint: found.fingerprint, status: found.status, sealed: found.sealed }
    },
    async claim(id, fingerprint, at) {
      const claimed = await db
        .insert(requests)
        .values({ id, fingerprint, at: new Date(at) })
        .onConflictDoNothing()
        .returning({ id: requests.id })
      return claimed.length === 1
    },
    async answer(id, status, sealed) {
      await db.update(requests).set({ status, sealed }).where(eq(requests.id, id))
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
      return rows.flatMap(({ id, fingerprint, status, sealed }) =>
        status && sealed ? [{ id, fingerprint, status, sealed }] : [],
      )
    },
    async sweep(before) {
      await db.delete(requests).where(lt(requests.at, new Date(before)))
    },
  }
}

export function choicesOver(db: Db, table: typeof zones | typeof items): Choices {
  const key = (name: string) => name.trim().toLowerCase()
  return {
    async list() {
      const rows = await db.select().from(table).orderBy(asc(table.place))
      return rows.map(({ id, name }) => ({ ID: id, Name: name }))
    },
    async has(name) {
      // Held until the end: a zone cannot be taken off the list under a delivery being made.
      const found = await db.select().from(table).where(eq(table.name, name)).for('key share')
      return found.length > 0
    },
    async add({ ID, Name }, at) {
      await db.insert(table).values({ id: ID, name: Name, nameKey: key(Name), at: new Date(at) })
    },
    async remove(id) {
      const gone = await db.delete(table).where(eq(table.id, id)).returning({ id: table.id })
      return gone.length > 0
    },
  }
}

export function activitiesOver(db: Db): Activities {
  return {
    async add({ ID, Type, Message, CreatedAt }) {
      const row = { id: ID, type: Type, message: Message, createdAt: new Date(CreatedAt) }
      await db.insert(activities).values(row)
    },
    async list(limit) {
      const rows = await db
        .select()
        .from(activities)
        .orderBy(desc(activities.createdAt), desc(activities.id))
        .limit(limit)
      return rows.map(({ id, type, message, createdAt }) => ({
        ...{ ID: id, Type: type, Message: message },
        CreatedAt: createdAt.toISOString(),
      }))
    },
  }
}

export function ledgerOver(db: Db): Ledger {
  return {
    async post({ id, deliveryId, kind, at, entries: lines }) {
      await db.insert(transfers).values({ id, deliveryId, kind, at: new Date(at) })
      await db.insert(entries).values(lines.map((line) => ({ transferId: id, ...line })))
    },
    async of(deliveryId) {
      const rows = await db
        .select()
        .from(transfers)
        .where(eq(transfers.deliveryId, deliveryId))
        .orderBy(asc(transfers.at), asc(transfers.id))
      return Promise.all(
        rows.map(async ({ at, ...transfer }) => ({
          ...{ ...transfer, at: at.toISOString() },
          entries: await db
            .select({ account: entries.account, pesewas: entries.pesewas })
            .from(entries)
            .where(eq(entries.transferId, transfer.id))
            .orderBy(asc(entries.pesewas)),
        })),
      )
    },
    async balance(account) {
      const [found] = await db
        .select({ sum: sql<string>`coalesce(sum(${entries.pesewas}), 0)` })
        .from(entries)
        .where(eq(entries.account, account))
      return Number(found?.sum ?? 0)
    },
  }
}

export function settingsOver(db: Db): Settings {
  const get = async (name: string) => {
    const [found] = await db.select().from(settings).where(eq(settings.name, name))
    return found?.value
  }
  return {
    get,
    async keep(name, value) {
      await db.insert(settings).values({ name, value }).onConflictDoNothing()
      return (await get(name)) ?? value
    },
    async remove(name) {
      await db.delete(settings).where(eq(settings.name, name))
    },
  }
}

export async function statsOver(db: Db): Promise<Stats> {
  const { rows } = await db.execute<Record<keyof Stats, string>>(sql`
    select (select count(*) from users) as "totalUsers",
      count(*) as "totalDeliveries",
      coalesce(sum(pesewas) filter (where status = 'Approved'), 0) as "totalRevenue",
      count(*) filter (where status = 'Pending') as "pendingDeliveries",
      (select count(*) from applications where status = 'pending') as "pendingDrivers"
    from deliveries`)
  const of = (name: keyof Stats) => Number(rows[0]?.[name] ?? 0)
  return {
    totalUsers: of('totalUsers'),
    totalDeliveries: of('totalDeliveries'),
    totalRevenue: toCedis(of('totalRevenue')),
    pendingDeliveries: of('pendingDeliveries'),
    pendingDrivers: of('pendingDrivers'),
  }
}
