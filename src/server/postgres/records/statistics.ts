import { sql } from 'drizzle-orm'
import type { Stats, Trends } from '#contract/responses.ts'
import { byStatus, Status } from '#domain/deliveries/delivery.ts'
import { toCedis } from '#domain/money.ts'
import type { Db } from '../db.ts'
import { isOffered, isUnpaid } from '../tables.ts'
import { rollupRowsOf, rollupsOf } from './rollups.ts'

/** Named one by one: a pattern would read the rollups of every kind. */
const isStatus = sql`kind in ${Status.options.map((status) => `status:${status}`)}`
/** The status in the name of a rollup's kind. */
const statusOf = sql`substr(kind, 8)`

/** How many deliveries have each status, and what they cost together. */
export async function statusTotals(
  db: Db,
): Promise<{ status: Status; count: number; pesewas: number }[]> {
  const { rows } = await db.execute<{ status: Status; count: string; pesewas: string }>(sql`
    select ${statusOf} as status, sum(count) as count, sum(pesewas) as pesewas
    from ${rollupsOf(isStatus)} group by 1 having sum(count) <> 0`)
  return rows.map(({ status, count, pesewas }) => ({
    status,
    count: Number(count),
    pesewas: Number(pesewas),
  }))
}

/** How many accounts there are. */
export async function countUsers(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: string }>(sql`
    select coalesce(sum(count), 0) as count from ${rollupsOf(sql`kind = 'users'`)}`)
  return Number(rows[0]?.count ?? 0)
}

export async function statsOver(db: Db): Promise<Stats> {
  const [statuses, totalUsers, waiting, others] = await Promise.all([
    statusTotals(db),
    countUsers(db),
    db.execute<{ zone: string; count: number }>(sql`
      select pickup_zone as zone, count(*)::int as count from deliveries where status = 'Pending' and ${isOffered} group by 1`),
    db.execute<{ drivers: number; disputes: number; unpaid: number; tips: string }>(sql`
      select (select count(*)::int from applications where status = 'pending') as drivers,
        (select count(*)::int from disputes where status = 'open') as disputes,
        (select count(*)::int from deliveries where ${isUnpaid}) as unpaid,
        (select coalesce(sum(pesewas), 0) from ${rollupsOf(sql`kind = 'tips'`)}) as tips`),
  ])
  const of = (status: Status) => statuses.find((each) => each.status === status)
  return {
    totalUsers,
    totalDeliveries: statuses.reduce((sum, { count }) => sum + count, 0),
    totalRevenue: toCedis(of('Approved')?.pesewas ?? 0),
    totalTips: toCedis(Number(others.rows[0]?.tips ?? 0)) || undefined,
    pendingDeliveries: (of('Pending')?.count ?? 0) - (others.rows[0]?.unpaid ?? 0),
    pendingDrivers: others.rows[0]?.drivers ?? 0,
    openDisputes: others.rows[0]?.disputes ?? 0,
    waiting: Object.fromEntries(waiting.rows.map(({ zone, count }) => [zone, count])),
  }
}

type Asked = { day: string; status: Status; count: string }
type Paid = { day: string; pesewas: string }
type Timed = { day: string; count: string; minutes: string }

/** Statistics of the `days` days up to the one of `at`, in the time zone whose days are rolled up (R58). */
export async function trendsOver(db: Db, days: number, at: string): Promise<Trends> {
  const last = sql`accra_day(${at}::timestamptz)`
  const isSince = sql`day > ${last} - ${days}::int and day <= ${last}`
  const asked = db.execute<Asked>(sql`
    select day::text, ${statusOf} as status, count from ${rollupsOf(sql`${isStatus} and ${isSince}`)}`)
  const paid = db.execute<Paid>(sql`
    select day::text, pesewas from ${rollupsOf(sql`kind = 'released' and ${isSince}`)}`)
  // The median lies between the first value that half of them reach and the first that more than half do.
  const timed = db.execute<Timed>(sql`
    select day::text, max(all_of_day) as count,
      (min(value) filter (where 2 * so_far >= all_of_day) + min(value) filter (where 2 * so_far > all_of_day)) / 2.0
        as minutes
    from (
      select day, value, sum(count::int) over (partition by day order by value) as so_far,
        sum(count::int) over (partition by day) as all_of_day
      from ${rollupRowsOf(sql`kind = 'arrived' and ${isSince}`)}
    ) counted where all_of_day > 0 group by day`)
  const calendar = db.execute<{ day: string }>(sql`
    select day::date::text as day
    from generate_series((${last} - ${days - 1}::int)::timestamp, ${last}::timestamp, interval '1 day') day`)
  const [counts, payments, times, everyDay] = await Promise.all([asked, paid, timed, calendar])
  const countOf = new Map(counts.rows.map((row) => [`${row.day} ${row.status}`, Number(row.count)]))
  const moneyOf = new Map(payments.rows.map((row) => [row.day, row]))
  const timesOf = new Map(times.rows.map((row) => [row.day, row]))
  return {
    days: everyDay.rows.map(({ day }) => {
      const time = timesOf.get(day)
      return {
        day,
        statuses: byStatus((status) => countOf.get(`${day} ${status}`) ?? 0),
        revenue: toCedis(Number(moneyOf.get(day)?.pesewas ?? 0)),
        delivered: Number(time?.count ?? 0),
        ...(time ? { minutes: Math.round(Number(time.minutes)) } : {}),
      }
    }),
  }
}
